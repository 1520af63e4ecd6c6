package org.braid.hdfs.coordinator.policy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.policy.KnownReads;
import org.braid.hdfs.policy.KnownReadsJson;
import org.braid.hdfs.proto.BraidProtos.ClusterResponseProto;
import org.braid.hdfs.rpc.BraidPaths;

/** Reads that were imported from audit logs, as attributes in HDFS. */
public final class ReadStore {
  private static final Path ROOT = new Path(BraidPaths.ROOT);
  private static final EnumSet<XAttrSetFlag> ANY =
      EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE);

  private final DistributedFileSystem files;

  public ReadStore(DistributedFileSystem files) {
    this.files = files;
  }

  /** The source, begin and end of the known reads. */
  public KnownReads known(ClusterResponseProto cluster) throws IOException {
    if (cluster.getRecordsReads()) {
      return KnownReads.fromAccessTimes(Duration.ofMillis(cluster.getReadPrecisionMillis()));
    }
    if (!cluster.getTellsRecordedReads()) {
      return KnownReads.unknown(
          "dfs.namenode.accesstime.precision of the NameNode is 0, and its Braid plugin is of an"
              + " earlier version, which knows no imported reads");
    }
    Map<String, byte[]> attributes;
    try {
      attributes = files.getXAttrs(ROOT);
    } catch (FileNotFoundException e) {
      return KnownReads.NONE; // nothing was ever done here
    }
    byte[] stored = attributes.get(BraidPaths.READS_XATTR);
    try {
      return stored == null ? KnownReads.NONE : KnownReadsJson.read(stored);
    } catch (IllegalArgumentException e) {
      return KnownReads.unknown(
          "attribute %s of %s cannot be used: %s"
              .formatted(BraidPaths.READS_XATTR, BraidPaths.ROOT, e.getMessage()));
    }
  }

  /** Records the begin and end of the known reads. */
  void save(KnownReads known) throws IOException {
    byte[] bytes;
    try {
      bytes = KnownReadsJson.write(known);
    } catch (IllegalArgumentException e) {
      throw new RefusedException(String.valueOf(e.getMessage()), e);
    }
    PolicyStore.makeDirectory(files);
    files.setXAttr(ROOT, BraidPaths.READS_XATTR, bytes, ANY);
  }

  /** Records the time of a read of a file, by its inode. */
  void record(long inode, long millis) throws IOException {
    files.setXAttr(
        new Path(BraidPaths.inode(inode)),
        BraidPaths.READ_XATTR,
        ByteBuffer.allocate(Long.BYTES).putLong(millis).array(),
        ANY);
  }
}
