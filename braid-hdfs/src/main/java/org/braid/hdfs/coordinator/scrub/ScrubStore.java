package org.braid.hdfs.coordinator.scrub;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.rpc.ScrubRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How far the scrub of all stripes is, in the namespace. */
public final class ScrubStore {
  private static final Logger LOG = LoggerFactory.getLogger(ScrubStore.class);
  private static final Path ROOT = new Path(BraidPaths.ROOT);

  private final DistributedFileSystem files;

  public ScrubStore(DistributedFileSystem files) {
    this.files = files;
  }

  /** What is recorded; nothing where nothing is, or where it cannot be understood. */
  public ScrubRecord load() throws IOException {
    Map<String, byte[]> attributes;
    try {
      attributes = files.getXAttrs(ROOT);
    } catch (FileNotFoundException e) {
      return ScrubRecord.NONE; // nothing was ever converted here
    }
    Optional<byte[]> stored = Optional.ofNullable(attributes.get(BraidPaths.SCRUB_XATTR));
    try {
      return stored.map(ScrubRecord::parse).orElse(ScrubRecord.NONE);
    } catch (IllegalArgumentException e) {
      LOG.warn(
          "{} of {} cannot be used, the scrub begins anew: {}",
          BraidPaths.SCRUB_XATTR,
          BraidPaths.ROOT,
          e.getMessage());
      return ScrubRecord.NONE;
    }
  }

  /** Records it, beside a later round of another scrub of all. */
  ScrubRecord save(ScrubRecord record) throws IOException {
    ScrubRecord merged = load().last().map(record::withLast).orElse(record);
    files.setXAttr(
        ROOT,
        BraidPaths.SCRUB_XATTR,
        merged.bytes(),
        EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
    return merged;
  }
}
