package org.braid.hdfs.namenode.ear;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.util.Time;
import org.braid.hdfs.namenode.ear.OpenStripes.Ordinal;
import org.braid.hdfs.namenode.ear.OpenStripes.Written;
import org.braid.hdfs.namenode.files.EarLookup;
import org.braid.hdfs.namenode.files.FileLister;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.Pages;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.namenode.host.Shares;
import org.braid.hdfs.namenode.stripes.StripeIndex;
import org.braid.hdfs.stripe.Replica;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.placement.EligibleNodes;
import org.braid.placement.Topology;
import org.braid.placement.replication.BlockPlacement;
import org.braid.placement.replication.BlockPlacer;
import org.braid.placement.replication.PreEncodingStore;
import org.braid.placement.replication.PreEncodingStore.Waiting;
import org.braid.placement.rule.StripeRule;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pre-encoding stores of directories whose stripes go across files (EAR section 4). They are
 * kept in memory only. After a start or failover, the first write of a directory rebuilds its open
 * stripes from the locations of its replicas, in the order of the block ids. Blocks that are
 * written meanwhile are placed by HDFS. Conversion finds the stripes in the same way.
 *
 * <p>The blocks of each core rack in the order of their ids, k at a time, can all keep a replica,
 * under three conditions: no block of a sealed stripe is deleted, no node is lost, and the replicas
 * become known while writers wait ({@link LateReports}). If a sealed stripe loses a block, the next
 * NameNode and conversion cannot know the stripe's border: the rack's later blocks close up.
 */
final class AcrossFiles {
  private static final Logger LOG = LoggerFactory.getLogger(AcrossFiles.class);
  private static final int DIRECTORIES = 1000;
  private static final int BATCH = 1000;

  /**
   * Maximum number of files of a directory that are scanned; in a larger directory new stripes
   * begin after a start or failover.
   */
  static final int MOST_FILES = 200_000;

  /**
   * Maximum number of unencoded blocks that a scan keeps in memory, some hundred bytes each; in a
   * directory with more, new stripes begin after a start or failover.
   */
  static final int MOST_BLOCKS = 1_000_000;

  private record Directory(long inode, String setting) {}

  private final NameNodeHost host;
  private final StripeIndex index;
  private final long pauseMillis;
  private final Map<Directory, OpenStripes> open = EarPlacement.lru(DIRECTORIES);

  /** As many wait to be read as are remembered, a quarter of them of one writer. */
  private final QueuedReads<Directory> reads =
      new QueuedReads<>(
          new Shares(DIRECTORIES, DIRECTORIES / 4), "braid-open-stripes", AcrossFiles::sayPutOff);

  private long transition = -1;

  /**
   * Starts without stripes.
   *
   * @param pauseMillis time until stripes that were read too early are read again
   */
  AcrossFiles(NameNodeHost host, StripeIndex index, long pauseMillis) {
    this.host = host;
    this.index = index;
    this.pauseMillis = pauseMillis;
  }

  private synchronized OpenStripes open(EarLookup.Found found, int k) {
    long since = host.term();
    if (since != transition) {
      open.clear(); // another NameNode may have written meanwhile
      transition = since;
    }
    return open.computeIfAbsent(
        new Directory(found.directoryId(), found.text()),
        directory ->
            new OpenStripes(
                new Namespace(found),
                k,
                pauseMillis,
                reading -> reads.read(directory, found.file().getUserName(), reading)));
  }

  private static void sayPutOff(Directory directory) {
    LOG.warn(
        "the open stripes below inode {} are not read yet, as those of many directories wait for that,"
            + " {} at most, {} of one user: they, and others that come meanwhile, are read when a"
            + " block is next written there",
        directory.inode,
        DIRECTORIES,
        DIRECTORIES / 4);
  }

  /** Whether the open stripes of a file's directory can be read completely. */
  boolean known(EarLookup.Found found, int k) throws IOException {
    return open(found, k).known();
  }

  /** Whether the open stripes of a file's directory were read. */
  boolean read(EarLookup.Found found, int k) {
    return open(found, k).read();
  }

  /** Whether the open stripes of a file's directory are being read, so that waiting helps. */
  boolean isReading(EarLookup.Found found, int k) {
    return open(found, k).isReading();
  }

  /** Notes that HDFS placed a block of a file. */
  void missed(EarLookup.Found found, int k) {
    open(found, k).missed();
  }

  /**
   * Places the next block of a file; empty until the open stripes of its directory are read.
   *
   * @param first node in whose rack the block should be stored
   * @param rules the rule for the blocks of a stripe after encoding, by the name of its core rack
   */
  Optional<BlockPlacement> place(
      EarLookup.Found found,
      int k,
      BlockPlacer placer,
      EligibleNodes eligible,
      int first,
      int replicas,
      Function<String, StripeRule> rules)
      throws IOException {
    Topology topology = eligible.topology();
    OpenStripes stripes = open(found, k);
    synchronized (stripes) {
      Optional<PreEncodingStore<Ordinal>> read = stripes.at(Time.monotonicNow(), topology, rules);
      if (read.isEmpty()) {
        return Optional.empty();
      }
      PreEncodingStore<Ordinal> store = read.get();
      Ordinal block = new Ordinal(found.file().getId(), found.file().numBlocks());
      store.forget(block, topology, rules);
      String rack = topology.rackName(topology.rackOf(first));
      host.reading(
          "braidEar",
          () -> {
            store.refresh(rack, this::now, topology, rules.apply(rack));
            return rack;
          });
      BlockPlacement placed =
          store.add(block, placer, eligible, first, replicas, ThreadLocalRandom.current()).block();
      stripes.placed(block, Arrays.stream(placed.nodes()).mapToObj(topology::nodeName).toList());
      return Optional.of(placed);
    }
  }

  /** Whether a directory exceeds the limits of a scan. */
  static boolean areTooMany(int files, int blocks) {
    return files > MOST_FILES || blocks > MOST_BLOCKS;
  }

  /** Ends reading. */
  void close() {
    reads.close();
  }

  /** Where a block is; as given out while it is being written, nowhere when it is gone. */
  private Optional<List<String>> now(Waiting<Ordinal> waiting) {
    INode inode = host.namesystem().getFSDirectory().getInode(waiting.block().inode());
    if (inode == null || !inode.isFile() || inode.asFile().isStriped()) {
      return Optional.empty();
    }
    BlockInfo[] blocks = inode.asFile().getBlocks();
    return whereabouts(
        waiting,
        blocks.length,
        inode.asFile().isUnderConstruction(),
        index -> EarPlacement.found(blocks[index]));
  }

  /**
   * The locations of a waiting block, by the blocks that its file has; empty when the block is
   * gone. HDFS asks for the targets of an open file's next block before it adds the block to the
   * file, and other blocks are placed in between. So the chosen targets count for the next block of
   * an open file, and for a block without reported replicas.
   *
   * @param found gives the locations of a block of the file
   */
  static Optional<List<String>> whereabouts(
      Waiting<Ordinal> waiting, int blocks, boolean open, IntFunction<List<String>> found) {
    int index = waiting.block().index();
    if (index >= blocks) {
      return open && index == blocks ? Optional.of(waiting.nodes()) : Optional.empty();
    }
    List<String> nodes = found.apply(index);
    return Optional.of(nodes.isEmpty() ? waiting.nodes() : nodes);
  }

  /** The blocks of a directory, looked up in the namespace. */
  private final class Namespace implements OpenStripes.Source {
    private final EarLookup.Found found;

    Namespace(EarLookup.Found found) {
      this.found = found;
    }

    @Override
    public List<Written> blocks() throws IOException {
      List<Written> blocks = new ArrayList<>();
      index.ensure();
      FileLister lister = new FileLister(host);
      String after = null;
      int files = 0;
      boolean more = true;
      while (more) {
        FileLister.Page<StoredFile> batch = lister.list(found.directoryId(), after, BATCH);
        for (StoredFile file : batch.files()) {
          after = file.path();
          files++;
          if (belongs(file)) {
            add(file, blocks);
          }
        }
        more = batch.more() && !batch.files().isEmpty();
        if (areTooMany(files, blocks.size())) {
          LOG.info(
              "{} files with {} blocks in no stripe, and more, below {}: new stripes begin",
              files,
              blocks.size(),
              found.directory());
          return List.of();
        }
      }
      List<Written> known = paged(blocks);
      LOG.info(
          "{} blocks below {} are in no stripe, of {} not all replicas are known",
          known.size(),
          found.directory(),
          known.stream().filter(Written::late).count());
      return known;
    }

    /** Whether no nearer directory has a setting of its own. */
    private boolean belongs(StoredFile file) throws IOException {
      return EarLookup.of(host, file.path())
          .filter(own -> own.directoryId() == found.directoryId())
          .isPresent();
    }

    private void add(StoredFile file, List<Written> blocks) {
      for (int i = 0; i < file.blocks().size(); i++) {
        long id = file.blocks().get(i).block().id();
        if (index.known(id).isEmpty()) {
          blocks.add(new Written(new Ordinal(file.inode(), i), id, 0, List.of()));
        }
      }
    }

    @Override
    public List<Written> late(List<Written> blocks) throws IOException {
      return paged(blocks).stream().filter(Written::late).toList();
    }

    /** Blocks as they are now, some in one hold of the lock. */
    private List<Written> paged(List<Written> blocks) throws IOException {
      List<Written> known = new ArrayList<>();
      for (List<Written> page : Pages.of(blocks, BATCH)) {
        known.addAll(host.readingBlocks("braidEar", () -> page.stream().map(this::now).toList()));
      }
      return known;
    }

    /** A block as it is now; a deleted one has no replicas and needs none. */
    private Written now(Written block) {
      Optional<BlockInfo> stored = ReplicaView.stored(host.blocks(), block.id());
      return new Written(
          block.ordinal(),
          block.id(),
          stored.map(BlockInfo::getReplication).orElse((short) 0),
          stored.map(this::nodes).orElse(List.of()));
    }

    private List<String> nodes(BlockInfo block) {
      return block.isComplete()
          ? ReplicaView.status(host.blocks(), block).replicas().stream().map(Replica::node).toList()
          : EarPlacement.found(block);
    }
  }
}
