package org.braid.hdfs.namenode.sound;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.braid.hdfs.namenode.files.FileLister;
import org.braid.hdfs.namenode.files.FileView;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.namenode.sound.SoundNodes.Seen;
import org.braid.hdfs.namenode.stripes.StripeIndex;
import org.braid.hdfs.namenode.stripes.StripeIndex.Entry;
import org.braid.hdfs.proto.BraidProtos.FileProto;
import org.braid.hdfs.proto.BraidProtos.FilesRequestProto;
import org.braid.hdfs.proto.BraidProtos.FilesResponseProto;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.StatusCodec;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.hdfs.stripe.Stripe;
import org.braid.hdfs.stripe.StripeSums;
import org.jspecify.annotations.Nullable;

/**
 * Lists files for a caller that checks them. Files in which the caller would find no problem are
 * listed in short; all others, and doubtful ones, with the full description of {@link FileLister}.
 */
public final class SoundFiles {
  private final NameNodeHost host;
  private final StripeIndex index;
  private final FileLister lister;
  private final SoundNodes nodes;

  public SoundFiles(NameNodeHost host, StripeIndex index, FileLister lister) {
    this.host = host;
    this.index = index;
    this.lister = lister;
    this.nodes = new SoundNodes(host);
  }

  /** A file as it was met, and what is said of it: nothing when it is gone since. */
  private static final class Met {
    private final String path;
    private final INodeFile file;

    /** Whether its blocks are noted after it was met, in short holds of the lock. */
    private final boolean large;

    private final List<BlockIdentity> blocks = new ArrayList<>();
    private boolean sound;
    private boolean single;
    private @Nullable FileProto listed;

    Met(INodeFile file, String path) {
      this.path = path;
      this.file = file;
      this.large = FileView.isLarge(file);
      if (!large && !file.isStriped()) {
        for (BlockInfo block : file.getBlocks()) {
          blocks.add(ReplicaView.identity(block));
        }
      }
    }
  }

  /**
   * Lists files; empty when the caller knows other DataNodes than this NameNode, so that only the
   * caller can judge.
   *
   * @param limit maximum number of files to scan
   */
  public Optional<FilesResponseProto> list(FilesRequestProto request, int limit)
      throws IOException {
    Optional<Seen> seen = nodes.seen(request.getBriefly());
    return seen.isEmpty() ? Optional.empty() : Optional.of(list(request, limit, seen.get()));
  }

  private FilesResponseProto list(FilesRequestProto request, int limit, Seen seen)
      throws IOException {
    String after = request.hasAfter() ? request.getAfter() : null;
    FileLister.Page<Met> page = lister.list(request.getPath(), after, limit, Met::new);
    for (Met met : page.files()) {
      if (met.large) {
        noteBlocks(met);
      }
    }
    List<Long> ids = new ArrayList<>();
    page.files().forEach(met -> met.blocks.forEach(block -> ids.add(block.id())));
    Map<Long, Entry> stripes = index.of(ids);
    Set<Long> sound = sound(stripes, seen);
    StripeSums sums = new StripeSums();
    List<Met> rest = new ArrayList<>();
    for (Met met : page.files()) {
      if (!met.blocks.isEmpty() && isEncoded(met, stripes, sound)) {
        met.listed = brief(met);
        met.blocks.forEach(block -> count(block, stripes, sums));
      } else {
        rest.add(met);
      }
    }
    look(rest, stripes, seen);
    FilesResponseProto.Builder response =
        FilesResponseProto.newBuilder().setMore(page.more()).setStripes(sums.toProto());
    if (page.last() != null) {
      response.setLast(page.last());
    }
    int alone = 0;
    for (Met met : page.files()) {
      alone += met.sound ? 1 : 0;
      if (met.single) {
        response.addUnprotected(met.path);
      }
      if (met.listed != null) {
        response.addFiles(met.listed);
      }
    }
    return response.setSound(alone).build();
  }

  /** Notes the blocks that a large file has now. */
  private void noteBlocks(Met met) throws IOException {
    if (!met.file.isStriped()) {
      BlockInfo[] blocks = host.readingFiles("braidFiles", met.file::getBlocks);
      host.readingEach(
          "braidFiles",
          Arrays.asList(blocks),
          block -> met.blocks.add(ReplicaView.identity(block)));
    }
  }

  /** The sound ones of some stripes, by the inodes of their parity. */
  private Set<Long> sound(Map<Long, Entry> stripes, Seen seen) throws IOException {
    SoundStripes judge = new SoundStripes(host, seen);
    Set<Long> met = new HashSet<>();
    List<Entry> placed = new ArrayList<>();
    for (Entry entry : stripes.values()) {
      if (met.add(entry.inode()) && judge.isWellPlaced(entry.stripe())) {
        placed.add(entry);
      }
    }
    Set<Long> sound = new HashSet<>();
    index.visit(
        "braidStripes",
        placed,
        entry -> {
          if (judge.isAtHomeAsWanted(entry)) {
            sound.add(entry.inode());
          }
          return true;
        });
    return sound;
  }

  /** Whether each block of a file is a data block of a sound stripe, as it was encoded. */
  private static boolean isEncoded(Met met, Map<Long, Entry> stripes, Set<Long> sound) {
    for (BlockIdentity block : met.blocks) {
      Entry entry = stripes.get(block.id());
      if (entry == null || !sound.contains(entry.inode())) {
        return false;
      }
      OptionalInt position = entry.stripe().positionOf(block);
      if (position.isEmpty() || position.getAsInt() >= entry.stripe().code().k()) {
        return false;
      }
    }
    return true;
  }

  private static FileProto brief(Met met) {
    return FileProto.newBuilder()
        .setPath(met.path)
        .setInode(met.file.getId())
        .setLength(0)
        .setBlockSize(0)
        .setReplication(0)
        .setSoundBlocks(met.blocks.size())
        .build();
  }

  /** Adds a stripe with the first of its blocks. */
  private static void count(BlockIdentity block, Map<Long, Entry> stripes, StripeSums sums) {
    Entry entry = stripes.get(block.id());
    if (entry == null) {
      return;
    }
    Stripe stripe = entry.stripe();
    int first = 0;
    while (stripe.isVirtual(first)) {
      first++;
    }
    if (stripe.member(first).isBlock(block.id())) {
      sums.add(stripe.id(), entry.inode());
    }
  }

  /** Looks at files that are not wholly in sound stripes. */
  private void look(List<Met> files, Map<Long, Entry> stripes, Seen seen) throws IOException {
    List<Met> large = files.stream().filter(met -> met.large).toList();
    List<Met> others = new ArrayList<>(files);
    others.removeAll(large);
    host.readingEach("braidFiles", others, met -> look(met, stripes, seen));
    for (Met met : large) {
      lookInParts(met, stripes, seen);
    }
  }

  /** Looks at a file of very many blocks in short holds of the lock. */
  private void lookInParts(Met met, Map<Long, Entry> stripes, Seen seen) throws IOException {
    BlockInfo[] blocks = host.readingFiles("braidFiles", met.file::getBlocks);
    boolean striped = met.file.isStriped(); // which is HDFS's own business
    boolean same = striped || blocks.length == met.blocks.size();
    boolean[] sound = {same && isInNoStripe(met, stripes)};
    if (sound[0] && !striped) {
      Iterator<BlockIdentity> before = met.blocks.iterator();
      host.readingEach(
          "braidFiles",
          Arrays.asList(blocks),
          block -> sound[0] &= isReadable(block, before.next(), seen));
    }
    met.sound = sound[0] && host.readingFiles("braidFiles", () -> FileView.isThere(host, met.file));
    met.single = met.sound && host.reading("braidFiles", () -> hasOneReplica(met.file));
    if (!met.sound) {
      met.listed =
          FileView.describeInParts(host, met.file, met.path).map(StatusCodec::toProto).orElse(null);
    }
  }

  private static boolean isInNoStripe(Met met, Map<Long, Entry> stripes) {
    return met.blocks.stream().noneMatch(block -> stripes.containsKey(block.id()));
  }

  private void look(Met met, Map<Long, Entry> stripes, Seen seen) throws IOException {
    if (!FileView.isThere(host, met.file)) {
      return; // deleted since it was met
    }
    met.sound = isInNoStripe(met, stripes) && isReadable(met, seen);
    met.single = met.sound && hasOneReplica(met.file);
    if (!met.sound) {
      met.listed = StatusCodec.toProto(FileView.describe(host, met.file, met.path));
    }
  }

  /** As the caller decides it of a file that is described to it; the namesystem's lock is held. */
  private static boolean hasOneReplica(INodeFile file) {
    return !file.isStriped()
        && StoredFile.hasOneReplica(
            file.getFileReplication(),
            !file.isUnderConstruction(),
            Arrays.stream(file.getBlocks()).mapToInt(BlockInfo::getReplication));
  }

  /** Whether the caller can read each block, or it is being written. */
  private boolean isReadable(Met met, Seen seen) throws IOException {
    if (met.file.isStriped()) {
      return true; // HDFS's own business
    }
    BlockInfo[] blocks = met.file.getBlocks();
    if (blocks.length != met.blocks.size()) {
      return false;
    }
    for (int i = 0; i < blocks.length; i++) {
      if (!isReadable(blocks[i], met.blocks.get(i), seen)) {
        return false;
      }
    }
    return true;
  }

  /** Whether a block is the one that was met, and the caller can read it, or it is written. */
  private boolean isReadable(BlockInfo block, BlockIdentity met, Seen seen) {
    return block.getBlockId() == met.id()
        && (!block.isComplete()
            || ReplicaView.of(host.blocks(), block).stream()
                .anyMatch(replica -> replica.usable() && seen.answers(replica.uuid())));
  }
}
