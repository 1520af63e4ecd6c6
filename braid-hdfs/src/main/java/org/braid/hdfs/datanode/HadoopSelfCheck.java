package org.braid.hdfs.datanode;

import java.util.Arrays;
import org.apache.hadoop.hdfs.protocol.datatransfer.Sender;
import org.apache.hadoop.hdfs.server.datanode.BlockMetadataHeader;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.util.DataChecksum;
import org.apache.hadoop.util.VersionInfo;

/** Checks that this Hadoop has the non-public members that the worker uses. */
final class HadoopSelfCheck {
  private HadoopSelfCheck() {}

  /**
   * Checks this Hadoop.
   *
   * @throws IllegalStateException naming the first missing method
   */
  static void check() {
    require(
        DataNode.class,
        "checkDiskErrorAsync",
        "getSaslClient",
        "getSaslServer",
        "getBlockAccessToken",
        "getBlockPoolTokenSecretManager",
        "getDataEncryptionKeyFactoryForBlock",
        "getDNRegistrationForBP",
        "newSocket",
        "reportBadBlocks");
    require(
        FsDatasetSpi.class,
        "getBlockLocalPathInfo",
        "getFsVolumeReferences",
        "getStoredBlock",
        "isValidBlock");
    require(BlockMetadataHeader.class, "preadHeader");
    require(DataChecksum.class, "verifyChunkedSums", "calculateChunkedSums");
    require(Sender.class, "writeBlock");
    require(ProtobufRpcEngine2.Server.class, "registerForDeferredResponse2");
  }

  static void require(Class<?> type, String... methods) {
    for (String method : methods) {
      if (Arrays.stream(type.getMethods()).noneMatch(m -> m.getName().equals(method))) {
        throw new IllegalStateException(
            "Hadoop "
                + VersionInfo.getVersion()
                + " has no public method "
                + type.getName()
                + "."
                + method
                + ": this version of Braid does not work with it");
      }
    }
  }
}
