package org.braid.hdfs.coordinator.view;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.apache.hadoop.security.AccessControlException;
import org.braid.hdfs.coordinator.session.NameNodeCalls;
import org.braid.hdfs.coordinator.session.StripeMap;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.Replica;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.hdfs.stripe.StripeStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files and stripes that an ordinary user may see: the files that HDFS lists to that user, and
 * of readable files the stripes whose files are all readable.
 */
final class ReadableFiles {
  private static final Logger LOG = LoggerFactory.getLogger(ReadableFiles.class);

  private final DistributedFileSystem files;
  private final Stripes stripes;
  private int hidden;

  ReadableFiles(DistributedFileSystem files, Stripes stripes) {
    this.files = files;
    this.stripes = stripes;
  }

  /** Knows stripes, see {@link NameNodeCalls#stripesOf(String, java.util.Collection)}. */
  interface Stripes {
    List<StripeStatus> of(String path, List<Long> blocks) throws IOException;
  }

  /** Hears of a file. */
  interface Visitor {
    void visit(StoredFile file, StripeMap stripes);
  }

  /**
   * Shows the files at or below a path.
   *
   * @throws AccessControlException when the path itself may not be read
   */
  void visit(String path, Visitor visitor) throws IOException {
    Deque<Path> directories = new ArrayDeque<>(List.of(new Path(path)));
    boolean first = true;
    while (!directories.isEmpty()) {
      Path directory = directories.pop();
      try {
        RemoteIterator<LocatedFileStatus> listed = files.listLocatedStatus(directory);
        while (listed.hasNext()) {
          LocatedFileStatus entry = listed.next();
          if (entry.isDirectory()) {
            directories.push(entry.getPath());
          } else if (entry instanceof HdfsLocatedFileStatus file && file.isFile()) {
            visit(file, visitor);
          }
        }
      } catch (AccessControlException e) {
        if (first) {
          throw e;
        }
        hidden++;
      } catch (FileNotFoundException e) {
        if (first) {
          throw e;
        }
        LOG.debug("{} was deleted meanwhile", directory);
      }
      first = false;
    }
  }

  /**
   * Number of files and directories so far that were not shown: the user may not read them, or may
   * not decode stripes in which their blocks may be.
   */
  int hidden() {
    return hidden;
  }

  private void visit(HdfsLocatedFileStatus status, Visitor visitor) throws IOException {
    StoredFile file = of(status);
    List<Long> ids = file.blocks().stream().map(block -> block.block().id()).toList();
    List<StripeStatus> found;
    try {
      found = ids.isEmpty() ? List.of() : stripes.of(file.path(), ids);
    } catch (AccessControlException e) {
      hidden++;
      return;
    } catch (FileNotFoundException e) {
      LOG.debug("{} was deleted meanwhile", file.path());
      return;
    }
    StripeMap map = StripeMap.of(found);
    if (file.replication() == 1 && !file.blocks().stream().allMatch(map::holds)) {
      hidden++; // they may be in stripes that the user may not decode
      return;
    }
    visitor.visit(file, map);
  }

  private static StoredFile of(HdfsLocatedFileStatus status) {
    List<BlockStatus> blocks = new ArrayList<>();
    LocatedBlocks located = status.getLocatedBlocks();
    ErasureCodingPolicy striping = status.getErasureCodingPolicy();
    long striped = 0;
    for (LocatedBlock block : located.getLocatedBlocks()) {
      if (striping != null) {
        striped += striped(block.getBlockSize(), striping);
        continue; // a group of blocks, which are HDFS's own business
      }
      ExtendedBlock id = block.getBlock();
      blocks.add(
          new BlockStatus(
              new BlockIdentity(id.getBlockId(), id.getGenerationStamp(), id.getNumBytes()),
              Arrays.stream(block.getLocations())
                  .map(node -> new Replica(node.getDatanodeUuid(), false, block.isCorrupt(), true))
                  .toList(),
              status.getReplication(),
              !located.isUnderConstruction(),
              List.of()));
    }
    return new StoredFile(
        status.getPath().toUri().getPath(),
        status.getFileId(),
        status.getLen(),
        status.getBlockSize(),
        status.getReplication(),
        blocks,
        List.of(),
        "",
        Optional.empty(),
        new StoredFile.Usage(
            status.getOwner(), status.getModificationTime(), status.getAccessTime(), striped));
  }

  /** Bytes that HDFS stores of a group of blocks. */
  private static long striped(long content, ErasureCodingPolicy policy) {
    return StripedBlockUtil.spaceConsumedByStripedBlock(
        content, policy.getNumDataUnits(), policy.getNumParityUnits(), policy.getCellSize());
  }
}
