package org.braid.hdfs.coordinator.scrub;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.braid.hdfs.api.ScrubReport.Finding;
import org.braid.hdfs.api.ScrubReport.Kind;
import org.braid.hdfs.api.ScrubReport.StripeCounts;
import org.braid.hdfs.api.ScrubReport.Unchecked;
import org.braid.hdfs.api.SpilledList;

/** Counts what a scrub has read and found so far. Thread-safe. */
final class ScrubTally {
  private final List<Finding> findings = new SpilledList<>();
  private final List<Unchecked> unchecked = new SpilledList<>();
  private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);
  private long stripes;
  private long blocks;
  private long bytes;
  private long compared;
  private long notComparable;
  private long lost;

  synchronized void stripes(int more) {
    stripes += more;
  }

  synchronized void read(long length) {
    blocks++;
    bytes += length;
  }

  synchronized void found(Finding finding) {
    findings.add(finding);
    counts.merge(finding.kind(), 1L, Long::sum);
  }

  /** Counts a stripe whose blocks were compared with each other. */
  synchronized void compared() {
    compared++;
  }

  /** Counts a stripe that could not be compared: not all blocks are present, good and hashed. */
  synchronized void notComparable() {
    notComparable++;
  }

  synchronized void unchecked(Unchecked replica) {
    unchecked.add(replica);
  }

  /** Adds to the number of unread blocks that have no good copy. */
  synchronized void lost(int more) {
    lost += more;
  }

  synchronized long lost() {
    return lost;
  }

  synchronized long stripes() {
    return stripes;
  }

  synchronized long blocks() {
    return blocks;
  }

  synchronized long bytes() {
    return bytes;
  }

  synchronized StripeCounts parity() {
    return new StripeCounts(compared, counts.getOrDefault(Kind.PARITY, 0L), notComparable);
  }

  List<Finding> findings() {
    return findings;
  }

  List<Unchecked> unchecked() {
    return unchecked;
  }

  synchronized Map<Kind, Long> counts() {
    return Map.copyOf(counts);
  }
}
