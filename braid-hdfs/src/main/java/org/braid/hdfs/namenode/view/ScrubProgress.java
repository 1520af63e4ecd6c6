package org.braid.hdfs.namenode.view;

import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.XAttrFeature;
import org.braid.hdfs.metrics.DaemonMetrics;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.rpc.ScrubRecord;

/** The progress of the scrub of all stripes, for monitoring systems. */
public final class ScrubProgress {
  /** What is not known. */
  private static final long UNKNOWN = -1;

  private final NameNodeHost host;
  private final InstantSource clock;

  public ScrubProgress(NameNodeHost host, InstantSource clock) {
    this.host = host;
    this.clock = clock;
  }

  /** Adds the progress to the metrics of a NameNode. */
  public void addTo(DaemonMetrics metrics) {
    metrics.gauge(
        "ScrubOldestSeconds",
        "Seconds for which a stripe was left unread at most; while the first scrub of all goes on,"
            + " seconds since it began; -1: none has begun",
        () -> of(record -> oldestSeconds(record)));
    metrics.gauge(
        "ScrubPercent",
        "Percent of the stripes that the present scrub of all has read",
        () -> of(record -> record.present().map(round -> (long) (100 * round.done())).orElse(0L)));
    metrics.gauge(
        "ScrubFindings",
        "What the present scrub of all has found so far",
        () -> of(record -> record.present().map(ScrubRecord.Round::findings).orElse(0L)));
    metrics.gauge(
        "ScrubFindingsLast",
        "What the last scrub of all that ended has found",
        () -> of(record -> record.last().map(ScrubRecord.Round::findings).orElse(0L)));
    metrics.gauge(
        "ScrubUnreadLast",
        "Replicas that the last scrub of all that ended could not read",
        () -> of(record -> record.last().map(ScrubRecord.Round::unread).orElse(0L)));
    metrics.gauge(
        "ScrubParityChecked",
        "Stripes that the present scrub of all has checked against their parity",
        () -> of(record -> record.present().map(ScrubRecord.Round::checked).orElse(0L)));
    metrics.gauge(
        "ScrubParityUnfit",
        "Stripes whose parity does not fit their data, of the present scrub of all",
        () -> of(record -> record.present().map(ScrubRecord.Round::unfit).orElse(0L)));
    metrics.gauge(
        "ScrubParityUnfitLast",
        "The same of the last scrub of all that ended",
        () -> of(record -> record.last().map(ScrubRecord.Round::unfit).orElse(0L)));
  }

  private long oldestSeconds(ScrubRecord record) {
    var millis = record.oldestMillis(clock.millis());
    return millis.isPresent() ? millis.getAsLong() / 1000 : UNKNOWN;
  }

  private long of(ToLongFunction<ScrubRecord> figure) {
    return known().map(figure::applyAsLong).orElse(UNKNOWN);
  }

  /** The recorded progress; empty when the record is unreadable. */
  public Optional<ScrubRecord> known() {
    try {
      return Optional.of(host.readingFiles("braidScrub", this::record).asOf(clock.millis()));
    } catch (IOException | RuntimeException e) {
      return Optional.empty(); // whoever scrubs next says so
    }
  }

  private ScrubRecord record() throws IOException {
    INode root = host.inode(BraidPaths.ROOT);
    XAttrFeature attributes = root == null ? null : root.getXAttrFeature();
    XAttr found = attributes == null ? null : attributes.getXAttr(BraidPaths.SCRUB_XATTR);
    byte[] value = found == null ? null : found.getValue();
    return value == null ? ScrubRecord.NONE : ScrubRecord.parse(value);
  }
}
