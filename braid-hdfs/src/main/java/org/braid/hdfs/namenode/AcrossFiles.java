package org.braid.hdfs.namenode;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.braid.hdfs.proto.BraidProtos.BlockStatusProto;
import org.braid.hdfs.proto.BraidProtos.FileProto;
import org.braid.hdfs.proto.BraidProtos.FilesResponseProto;
import org.braid.hdfs.proto.BraidProtos.ReplicaProto;
import org.braid.placement.EncodingAwareReplication.BlockPlacement;
import org.braid.placement.PreEncodingStore;
import org.braid.placement.PreEncodingStore.Waiting;
import org.braid.placement.StripeRule;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pre-encoding stores of directories whose stripes go across files (EAR section 4). They are
 * kept in memory only: what waits for the rest of its stripe is found again, at the first write
 * after a start or failover, from where the replicas of the directory's blocks are, in the order of
 * the block ids that HDFS gave out. Conversion finds the stripes in the same way.
 */
final class AcrossFiles {
  private static final Logger LOG = LoggerFactory.getLogger(AcrossFiles.class);
  private static final int DIRECTORIES = 1000;
  private static final int BATCH = 1000;

  /** Files that are looked at in a directory; in larger ones new stripes begin after a start. */
  private static final int MOST_FILES = 200_000;

  private record Directory(long inode, String setting) {}

  /** A block before HDFS has given it an id. */
  private record Ordinal(long inode, int index) {}

  private final NameNodeHost host;
  private final StripeIndex index;
  private final Map<Directory, PreEncodingStore<Ordinal>> stores = EarPlacement.lru(DIRECTORIES);
  private long transition = -1;

  AcrossFiles(NameNodeHost host, StripeIndex index) {
    this.host = host;
    this.index = index;
  }

  /**
   * Places the next block of a file.
   *
   * @param first the node in whose rack it is to be stored
   */
  BlockPlacement place(
      EarSetting.Found found,
      int k,
      PreEncodingStore.Cluster cluster,
      int first,
      int replicas,
      StripeRule rule)
      throws IOException {
    long since = host.nameNode().getLastHATransitionTime();
    if (since != transition) {
      stores.clear(); // another NameNode may have written meanwhile
      transition = since;
    }
    Directory directory = new Directory(found.directoryId(), found.text());
    PreEncodingStore<Ordinal> store = stores.get(directory);
    if (store == null) {
      store = new PreEncodingStore<>(k);
      restore(store, found, cluster, rule);
      stores.put(directory, store);
    }
    Ordinal block = new Ordinal(found.file().getId(), found.file().numBlocks());
    store.forget(block, cluster.topology(), rule);
    String rack = cluster.topology().rackName(cluster.topology().rackOf(first));
    PreEncodingStore<Ordinal> waiting = store;
    host.reading(
        "braidEar",
        () -> {
          waiting.refresh(rack, this::now, cluster.topology(), rule);
          return rack;
        });
    return store.add(block, cluster, first, replicas, ThreadLocalRandom.current()).block();
  }

  /** Where a block is; as given out while it is being written, nowhere when it is gone. */
  private Optional<List<String>> now(Waiting<Ordinal> waiting) {
    INode inode = host.namesystem().getFSDirectory().getInode(waiting.block().inode());
    if (inode == null || !inode.isFile() || inode.asFile().isStriped()) {
      return Optional.empty();
    }
    BlockInfo[] blocks = inode.asFile().getBlocks();
    if (waiting.block().index() >= blocks.length) {
      return Optional.empty();
    }
    List<String> found = EarPlacement.found(blocks[waiting.block().index()]);
    return Optional.of(found.isEmpty() ? waiting.nodes() : found);
  }

  private record Written(Ordinal ordinal, BlockStatusProto status) {}

  private void restore(
      PreEncodingStore<Ordinal> store,
      EarSetting.Found found,
      PreEncodingStore.Cluster cluster,
      StripeRule rule)
      throws IOException {
    List<Written> blocks = new ArrayList<>();
    index.ensure();
    FileLister lister = new FileLister(host);
    String after = null;
    int files = 0;
    boolean more = true;
    while (more) {
      FilesResponseProto batch = lister.list(found.directory(), after, BATCH);
      for (FileProto file : batch.getFilesList()) {
        after = file.getPath();
        files++;
        if (belongs(file, found)) {
          add(file, blocks);
        }
      }
      more = batch.getMore() && batch.getFilesCount() > 0;
      if (files > MOST_FILES) {
        LOG.info("more than {} files below {}: new stripes begin", files, found.directory());
        return;
      }
    }
    blocks.sort(Comparator.comparingLong(b -> b.status().getBlock().getId()));
    for (Written block : blocks) {
      store.restore(
          block.ordinal(),
          block.status().getReplicasList().stream().map(ReplicaProto::getNode).toList(),
          cluster.topology(),
          rule);
    }
    LOG.info(
        "{} of {} blocks below {} wait for the rest of their stripes",
        store.waiting(),
        blocks.size(),
        found.directory());
  }

  /** Whether no nearer directory has a setting of its own. */
  private boolean belongs(FileProto file, EarSetting.Found found) throws IOException {
    return EarSetting.of(host, file.getPath())
        .filter(own -> own.directoryId() == found.directoryId())
        .isPresent();
  }

  private void add(FileProto file, List<Written> blocks) {
    for (int i = 0; i < file.getBlocksCount(); i++) {
      BlockStatusProto status = file.getBlocks(i);
      if (index.known(status.getBlock().getId()).isEmpty()) {
        blocks.add(new Written(new Ordinal(file.getInode(), i), status));
      }
    }
  }
}
