package org.braid.hdfs.metrics;

import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/** Bytes that a daemon moved, by what for and over which links. Thread-safe. */
public final class TrafficCounters {
  private final Map<Cause, Map<LinkClass, LongAdder>> sent = new EnumMap<>(Cause.class);
  private final Map<Cause, LongAdder> disk = new EnumMap<>(Cause.class);

  /**
   * Nothing was moved yet.
   *
   * @param sending the causes for which something is sent
   * @param onDisk the causes for which disks are read or written
   */
  public TrafficCounters(Set<Cause> sending, Set<Cause> onDisk) {
    for (Cause cause : sending) {
      Map<LinkClass, LongAdder> links = new EnumMap<>(LinkClass.class);
      for (LinkClass link : LinkClass.values()) {
        links.put(link, new LongAdder());
      }
      sent.put(cause, links);
    }
    onDisk.forEach(cause -> disk.put(cause, new LongAdder()));
  }

  /** Adds them to the metrics of a daemon. */
  public void addTo(DaemonMetrics metrics) {
    if (!sent.isEmpty()) {
      metrics.family("Moved", this::sent);
    }
    if (!disk.isEmpty()) {
      metrics.family("Disk", this::disk);
    }
  }

  private void sent(DaemonMetrics.Rows rows) {
    sent.forEach(
        (cause, links) ->
            links.forEach(
                (link, bytes) ->
                    rows.row("Cause", cause.word(), "Link", link.word())
                        .counter("Bytes", "Bytes sent from node to node", bytes.sum())));
  }

  private void disk(DaemonMetrics.Rows rows) {
    disk.forEach(
        (cause, bytes) ->
            rows.row("Cause", cause.word())
                .counter("Bytes", "Bytes read from and written to disks", bytes.sum()));
  }

  /** So many bytes were sent. */
  public void sent(Cause cause, LinkClass link, long bytes) {
    Map<LinkClass, LongAdder> links = sent.get(cause);
    LongAdder adder = links == null ? null : links.get(link);
    if (adder != null) {
      adder.add(bytes);
    }
  }

  /** Hears what was sent. */
  public interface Sent {
    /** Bytes of a cause over a class of links, more than none. */
    void bytes(Cause cause, LinkClass link, long bytes);
  }

  /** Says what was sent so far. */
  public void forEachSent(Sent hears) {
    sent.forEach(
        (cause, links) ->
            links.forEach(
                (link, adder) -> {
                  long bytes = adder.sum();
                  if (bytes > 0) {
                    hears.bytes(cause, link, bytes);
                  }
                }));
  }

  /** So many bytes were read from or written to disks. */
  public void onDisk(Cause cause, long bytes) {
    LongAdder adder = disk.get(cause);
    if (adder != null) {
      adder.add(bytes);
    }
  }
}
