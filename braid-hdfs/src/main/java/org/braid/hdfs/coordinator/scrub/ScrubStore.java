package org.braid.hdfs.coordinator.scrub;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.rpc.ScrubRecord;
import org.braid.hdfs.rpc.ScrubRecord.Round;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stores the progress of the scrub of all stripes in the namespace. */
public final class ScrubStore {
  private static final Logger LOG = LoggerFactory.getLogger(ScrubStore.class);
  private static final Path ROOT = new Path(BraidPaths.ROOT);

  private final DistributedFileSystem files;
  private final InstantSource clock;

  public ScrubStore(DistributedFileSystem files, InstantSource clock) {
    this.files = files;
    this.clock = clock;
  }

  /** The saved record; an empty one when there is none, or it is malformed. */
  public ScrubRecord load() throws IOException {
    Map<String, byte[]> attributes;
    try {
      attributes = files.getXAttrs(ROOT);
    } catch (FileNotFoundException e) {
      return ScrubRecord.NONE; // nothing was ever converted here
    }
    Optional<byte[]> stored = Optional.ofNullable(attributes.get(BraidPaths.SCRUB_XATTR));
    try {
      return stored.map(ScrubRecord::parse).orElse(ScrubRecord.NONE).asOf(clock.millis());
    } catch (IllegalArgumentException e) {
      LOG.warn(
          "{} of {} cannot be used, the scrub begins anew: {}",
          BraidPaths.SCRUB_XATTR,
          BraidPaths.ROOT,
          e.getMessage());
      return ScrubRecord.NONE;
    }
  }

  /**
   * Saves a round that has ended, if possible. Its findings count also when it cannot be saved, for
   * example in safe mode or before the first conversion.
   */
  void end(Round round) {
    try {
      var unused = save(load().withLast(round));
    } catch (FileNotFoundException e) {
      LOG.info("there are no stripes, and it is not recorded that they were scrubbed");
    } catch (IOException e) {
      LOG.warn("it is not recorded that all was scrubbed: {}", e.getMessage());
    }
  }

  /** Saves a record, merged with a later round of another scrub of all stripes. */
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
