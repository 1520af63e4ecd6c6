package org.braid.hdfs.testing;

import java.io.IOException;
import java.util.EnumSet;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.braid.hdfs.rpc.BraidPaths;

/** Descriptions of stripes that are written by hand. */
public final class Descriptions {
  private Descriptions() {}

  /** Sets what a parity file says, in the NameNode's process, where nothing guards parity. */
  public static void set(NameNode nameNode, Path parity, byte[] description) throws IOException {
    nameNode
        .getRpcServer()
        .setXAttr(
            parity.toUri().getPath(),
            XAttrHelper.buildXAttr(BraidPaths.STRIPE_XATTR, description),
            EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
  }
}
