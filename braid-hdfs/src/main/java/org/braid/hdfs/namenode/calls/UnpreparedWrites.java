package org.braid.hdfs.namenode.calls;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import javax.servlet.FilterChain;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.braid.hdfs.namenode.calls.ConvertedWrites.Prepared;
import org.braid.hdfs.namenode.host.HadoopInternals;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.moves.RealPaths;
import org.braid.hdfs.namenode.stripes.StripeIndex;
import org.braid.hdfs.namenode.stripes.Trimmer;
import org.braid.hdfs.namenode.writes.CountedCut;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.Member;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles writes that HDFS made to another file than the prepared one. HDFS resolves a path under
 * its own lock, which Braid cannot hold while it calls HDFS. So a converted file may get the path
 * in between. Before the client gets its answer, HDFS's change of such a file is undone, or the
 * file gets its original replication.
 */
public final class UnpreparedWrites {
  private static final Logger LOG = LoggerFactory.getLogger(UnpreparedWrites.class);
  private static final short ONE = 1;
  private static final String RECOVERY = "braid-lease-recovery";

  /**
   * A file that was opened.
   *
   * @param last its last block
   * @param converted whether blocks of it may be encoded
   */
  private record Opened(@Nullable ExtendedBlock last, boolean converted) {}

  private final NameNodeHost host;
  private final StripeIndex index;
  private final Trimmer trimmer;
  private final Consumer<Set<String>> thinned;

  UnpreparedWrites(
      NameNodeHost host, StripeIndex index, Trimmer trimmer, Consumer<Set<String>> thinned) {
    this.host = host;
    this.index = index;
    this.trimmer = trimmer;
    this.thinned = thinned;
  }

  /**
   * Checks a file that HDFS opened for an unprepared append. If the file is converted, or was not
   * opened as the client asked, closes it unchanged: no client knows yet that it is open, so no
   * data was written.
   *
   * @param path path of the file at the call
   * @param client name under which the client opens files
   * @param asked whether it was opened as the client asked
   * @return the reason to refuse the append; empty when HDFS's answer is valid
   */
  Optional<IOException> opened(String path, String client, long inode, boolean asked)
      throws IOException {
    index.ensure();
    Opened opened = host.reading("braidWrite", () -> opened(inode));
    if (!opened.converted() && asked) {
      return Optional.empty();
    }
    if (!closed(client, inode, opened.last())) {
      raise(inode);
      recover(client, inode);
    }
    return Optional.of(
        new IOException(
            path
                + " is not what it was when this call came: nothing is written to it; call again"));
  }

  private Opened opened(long inode) {
    INodeFile file = file(inode);
    if (file == null) {
      return new Opened(null, false);
    }
    boolean converted = false;
    for (BlockInfo block : file.getBlocks()) {
      converted |= mayHaveBeenEncoded(file, block);
    }
    BlockInfo last = file.getLastBlock();
    return new Opened(
        last == null ? null : new ExtendedBlock(host.namesystem().getBlockPoolId(), last),
        converted);
  }

  private boolean closed(String client, long inode, @Nullable ExtendedBlock last) {
    try {
      return host.asOwner(
          () -> host.calls().complete(BraidPaths.inode(inode), client, last, inode));
    } catch (IOException | RuntimeException e) {
      LOG.warn("inode {} is not closed for {}: {}", inode, client, e.getMessage());
      return false;
    }
  }

  /** Has HDFS close a file whose last block it will give another generation. */
  private void recover(String client, long inode) {
    try {
      boolean done =
          host.asOwner(() -> host.calls().recoverLease(BraidPaths.inode(inode), RECOVERY));
      LOG.info("the lease of {} on inode {} is recovered: {}", client, inode, done);
    } catch (IOException | RuntimeException e) {
      LOG.warn("inode {} stays open for {}: {}", inode, client, e.getMessage());
    }
  }

  /**
   * Whether HDFS truncated the prepared file. If it truncated another file that is converted, makes
   * that file safe.
   */
  boolean isTruncated(Prepared prepared, String path) throws IOException {
    long inode = inode(path);
    if (prepared.isFor(inode)) {
      return true;
    }
    if (inode != 0) {
      raise(inode);
    }
    thinned.accept(Set.of());
    return false;
  }

  /** Begins a cut of a file by HDFS, so that HDFS subtracts from the quota what it has added. */
  CountedCut cut(long inode, long length) throws IOException {
    return CountedCut.begin(host, inode, length);
  }

  /**
   * Deletes a snapshot. Encoded blocks of files that were written to after encoding count in the
   * quota as before, and aim at as many replicas as before.
   */
  <T> T countedInSnapshot(Removal snapshot, LateAnswer.Stock<T> stock) throws ServiceException {
    try (CountedCut ignored = of(snapshot)) {
      return stock.call();
    } catch (IOException e) {
      throw new ServiceException(e);
    }
  }

  private CountedCut of(Removal snapshot) throws IOException {
    String root = RealPaths.plain(snapshot.path()); // HDFS takes its raw names, too
    return CountedCut.ofSnapshot(host, trimmer.writes(), root, snapshot.other());
  }

  /**
   * Wraps a WebHDFS request that deletes a snapshot in the same way; WebHDFS truncates no converted
   * files.
   */
  FilterChain counted(FilterChain chain, Optional<Removal> removal) {
    if (removal.isEmpty() || removal.get().kind() != Removal.Kind.SNAPSHOT) {
      return chain;
    }
    return (asked, told) -> {
      try (CountedCut ignored = of(removal.get())) {
        chain.doFilter(asked, told);
      }
    };
  }

  /**
   * Whether HDFS concatenated the prepared files, so that the target exists and the sources do not.
   * Otherwise makes the target safe if it has encoded blocks.
   *
   * @param path path of the target
   */
  boolean areJoined(Prepared target, List<Prepared> sources, String path) throws IOException {
    long inode = inode(path);
    boolean joined =
        target.isFor(inode)
            && sources.stream().noneMatch(Prepared::refused)
            && host.readingFiles(
                "braidWrite",
                () -> sources.stream().allMatch(s -> s.inode() != 0 && file(s.inode()) == null));
    if (!joined && inode != 0) {
      raise(inode);
    }
    return joined;
  }

  private long inode(String path) throws IOException {
    return host.readingFiles(
        "braidWrite",
        () -> {
          INode found = host.inode(path);
          return found != null && found.isFile() ? found.getId() : 0L;
        });
  }

  private @Nullable INodeFile file(long inode) {
    INode found = host.namesystem().getFSDirectory().getInode(inode);
    return found != null && found.isFile() && !found.asFile().isStriped() ? found.asFile() : null;
  }

  /** Whether a block is or was in a stripe, whatever has become of it. */
  private boolean mayHaveBeenEncoded(INodeFile file, BlockInfo block) {
    return index.known(block.getBlockId()).isPresent()
        || (file.getFileReplication() == ONE && index.hasUnknownBlocks());
  }

  private void raise(long inode) throws IOException {
    index.ensure();
    Set<String> changed =
        host.asOwner(
            () -> {
              Set<String> stripes = host.changing("braidWrite", () -> raiseUnderLock(inode));
              host.namesystem().getEditLog().logSync();
              return stripes;
            });
    if (!changed.isEmpty()) {
      thinned.accept(changed);
    }
  }

  /** Returns the stripes whose blocks in the file were changed. */
  private Set<String> raiseUnderLock(long inode) throws IOException {
    INodeFile file = file(inode);
    if (file == null) {
      return Set.of();
    }
    short original = file.getFileReplication();
    List<Long> encoded = new ArrayList<>();
    List<BlockInfo> bare = new ArrayList<>();
    Set<String> stripes = new LinkedHashSet<>();
    for (BlockInfo block : file.getBlocks()) {
      if (mayHaveBeenEncoded(file, block)) {
        original = (short) Math.max(original, original(block));
        if (block.isComplete() && index.holding(block).isPresent()) {
          if (host.aims().of(block) == ONE) {
            encoded.add(block.getBlockId());
          }
        } else {
          bare.add(block);
          index.known(block.getBlockId()).map(entry -> entry.stripe().id()).ifPresent(stripes::add);
        }
      }
    }
    if (file.numBlocks() == 0 && original == ONE) {
      original = (short) host.blocks().defaultReplication; // nothing tells of another one
    }
    for (BlockInfo block : bare) {
      if (host.aims().of(block) < original) {
        host.aims().set(block, original);
      }
    }
    if (file.getFileReplication() < original) {
      try {
        HadoopInternals.setReplication(host.namesystem(), inode, original);
        trimmer.lower(encoded);
      } catch (FileNotFoundException e) {
        LOG.debug("inode {} was deleted meanwhile", inode);
      }
    }
    LOG.info(
        "inode {} was written to in the place of another file: it has replication {}, {} of its"
            + " blocks stay encoded",
        inode,
        original,
        encoded.size());
    return stripes;
  }

  /** The replication that a block had before conversion, as far as a stripe tells it here. */
  private short original(BlockInfo block) {
    int recorded =
        index
            .known(block.getBlockId())
            .flatMap(
                entry ->
                    entry.stripe().members().stream()
                        .filter(member -> member.isBlock(block.getBlockId()))
                        .findFirst())
            .map(Member::replication)
            .orElse(0);
    return host.original(recorded);
  }
}
