package org.braid.hdfs.namenode;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.fault.Faults;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Raises the replication of a file: of the file itself and of blocks that were trimmed. */
final class Raiser {
  private static final Logger LOG = LoggerFactory.getLogger(Raiser.class);

  private final NameNodeHost host;

  Raiser(NameNodeHost host) {
    this.host = host;
  }

  /**
   * Raises a file's replication. It also heals a file whose conversion stopped half-way, where the
   * file says more than some blocks do.
   *
   * @throws FileNotFoundException when no file has the inode
   */
  void raise(long inode, int replication) throws IOException {
    short wanted = (short) replication;
    if (wanted != replication || replication < 1) {
      throw new IOException("replication " + replication + " of inode " + inode + " is not valid");
    }
    short present = host.reading("braidRaise", () -> file(inode).getFileReplication());
    if (present < wanted) {
      host.asOwner(() -> host.calls().setReplication("/.reserved/.inodes/" + inode, wanted));
    }
    Faults.reach(FaultStep.NAMENODE_RAISE, Long.toString(inode));
    int healed =
        host.writing(
            "braidRaise",
            () -> {
              int blocks = 0;
              for (BlockInfo block : file(inode).getBlocks()) {
                if (block.getReplication() < wanted) {
                  host.blocks().setReplication(block.getReplication(), wanted, block);
                  blocks++;
                }
              }
              return blocks;
            });
    LOG.info(
        "raised inode {} from replication {} to {}, {} blocks were below it",
        inode,
        present,
        wanted,
        healed);
  }

  private INodeFile file(long id) throws IOException {
    INode inode = host.namesystem().getFSDirectory().getInode(id);
    if (inode == null || !inode.isFile()) {
      throw new FileNotFoundException("no file has inode " + id);
    }
    if (inode.asFile().isStriped()) {
      throw new IOException("inode " + id + " is stored by HDFS's own erasure coding");
    }
    return inode.asFile();
  }
}
