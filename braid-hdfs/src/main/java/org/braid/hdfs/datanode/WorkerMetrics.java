package org.braid.hdfs.datanode;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.hadoop.metrics2.lib.MutableCounterLong;
import org.apache.hadoop.metrics2.lib.MutableRate;
import org.braid.engine.block.CellLayout;
import org.braid.hdfs.metrics.Cause;
import org.braid.hdfs.metrics.DaemonMetrics;
import org.braid.hdfs.metrics.LinkClass;
import org.braid.hdfs.metrics.TrafficCounters;
import org.braid.hdfs.proto.BraidProtos.ExecuteRequestProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteResponseProto;
import org.braid.hdfs.proto.BraidProtos.LinkProto;
import org.braid.hdfs.proto.BraidProtos.OpProto;
import org.braid.hdfs.proto.BraidProtos.ReadOpProto;
import org.braid.hdfs.proto.BraidProtos.ScrubResponseProto.Finding;
import org.braid.hdfs.proto.BraidProtos.SentProto;
import org.braid.hdfs.proto.BraidProtos.StoreOpProto;
import org.braid.hdfs.proto.BraidProtos.TrafficProto;
import org.braid.hdfs.proto.BraidProtos.VerifyRequestProto;
import org.braid.plan.throttle.WorkClass;

/** Metrics of a worker, for monitoring systems. */
final class WorkerMetrics {
  /** Findings of a scrub that read no byte of a replica. */
  private static final Set<Finding> NOTHING_READ =
      EnumSet.of(Finding.CHANGED, Finding.MISSING, Finding.ABSENT);

  /** For what workers send; restoration is HDFS's own business. */
  private static final Set<Cause> SENDING =
      EnumSet.of(
          Cause.CONVERT,
          Cause.RELOCATE,
          Cause.REENCODE,
          Cause.REPAIR,
          Cause.WAITING_READERS,
          Cause.DEGRADED_READ);

  private static final Set<Cause> ON_DISK = EnumSet.complementOf(EnumSet.of(Cause.RESTORE));

  private final DaemonMetrics daemon = new DaemonMetrics();
  private final MutableRate fragments =
      daemon.rate("Fragment", "Milliseconds that fragments took, and their number");
  private final MutableCounterLong failed =
      daemon.counter("FragmentsFailed", "Fragments that failed or were stopped");
  private final MutableCounterLong read =
      daemon.counter("BytesRead", "Bytes of replicas that fragments read here");
  private final MutableCounterLong sent =
      daemon.counter("BytesSent", "Bytes that fragments sent to other nodes");
  private final MutableCounterLong rebuilt =
      daemon.counter("ReplicasStored", "Replicas of data rebuilt or moved to this node");
  private final MutableCounterLong parity =
      daemon.counter("ParityStored", "Blocks of parity stored on this node");
  private final MutableCounterLong stored =
      daemon.counter("BytesStored", "Bytes of replicas and parity stored");
  private final MutableCounterLong verified =
      daemon.counter("BytesVerified", "Bytes of replicas read to verify them");
  private final MutableCounterLong scrubbed =
      daemon.counter("BlocksScrubbed", "Replicas read and compared with what was encoded");
  private final MutableCounterLong scrubbedBytes =
      daemon.counter("BytesScrubbed", "Bytes of these replicas");
  private final Map<Finding, MutableCounterLong> findings = new EnumMap<>(Finding.class);

  private final TrafficCounters traffic = new TrafficCounters(SENDING, ON_DISK);

  /** By the class of work, what it moves; of a class that this release does not know, nothing. */
  private final Map<String, Moved> classes = new HashMap<>();

  private record Moved(MutableCounterLong network, MutableCounterLong disk) {}

  WorkerMetrics(LongSupplier running, LongSupplier memory, LongSupplier limited) {
    daemon.label("ProcessName", "The kind of daemon", () -> "DataNode");
    traffic.addTo(daemon);
    for (WorkClass work : WorkClass.values()) {
      String word = work.word();
      String name = word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
      classes.put(
          word,
          new Moved(
              daemon.counter(name + "BytesSent", "Bytes sent to other nodes for " + word),
              daemon.counter(
                  name + "BytesOnDisk", "Bytes read from and written to disks for " + word)));
    }
    daemon.gauge(
        "ThrottledRate",
        "Bytes of values a second that fragments in the background may move here now",
        limited);
    finding(
        Finding.CONTENT, "ScrubFoundContent", "fit HDFS's checksums and are not what was encoded");
    finding(Finding.CHECKSUM, "ScrubFoundChecksum", "do not fit HDFS's checksums");
    finding(Finding.TRUNCATED, "ScrubFoundTruncated", "with a file that is too short");
    finding(Finding.MISSING, "ScrubFoundMissing", "lack a file");
    finding(Finding.ABSENT, "ScrubFoundAbsent", "only the NameNode knew of");
    finding(Finding.UNREADABLE, "ScrubFoundUnreadable", "the disk does not read");
    daemon.gauge("FragmentsRunning", "Fragments of plans that run now", running);
    daemon.gauge("MemoryUsed", "Bytes of buffers that fragments have now", memory);
  }

  private void finding(Finding finding, String name, String about) {
    findings.put(finding, daemon.counter(name, "Replicas that a scrub found: " + about));
  }

  /** Counts a replica that a scrub looked at, if there was one to read. */
  void scrubbed(Finding finding, long bytes) {
    if (NOTHING_READ.contains(finding)) {
      return;
    }
    scrubbed.incr();
    scrubbedBytes.incr(bytes);
    traffic.onDisk(Cause.SCRUB, bytes);
  }

  /** Counts the confirmed finding of a scrub; bad replicas have been reported to HDFS. */
  void found(Finding finding) {
    MutableCounterLong bad = findings.get(finding);
    if (bad != null) {
      bad.incr();
    }
  }

  /** The sent bytes, to which the heartbeat sender adds its own fields. */
  TrafficProto.Builder traffic() {
    TrafficProto.Builder told = TrafficProto.newBuilder();
    traffic.forEachSent(
        (cause, link, bytes) ->
            told.addSent(
                SentProto.newBuilder()
                    .setCause(cause.word())
                    .setLink(link.word())
                    .setBytes(bytes)));
    return told;
  }

  /** The published metrics. */
  DaemonMetrics daemon() {
    return daemon;
  }

  /** Counts a fragment that succeeded. */
  void ended(
      ExecuteRequestProto request, ExecuteResponseProto response, CellLayout layout, long millis) {
    fragments.add(millis);
    Map<Integer, Long> bytes = new HashMap<>();
    response.getSentList().forEach(some -> bytes.merge(some.getNode(), some.getBytes(), Long::sum));
    countSent(request, bytes);
    long disks = 0;
    for (OpProto op : request.getOpsList()) {
      if (op.hasRead()) {
        long held = onDisk(op.getRead(), request.getLength(), layout);
        read.incr(held);
        disks += held;
      } else if (op.hasStore()) {
        disks += onDisk(op.getStore(), request.getLength(), layout);
        stored(op.getStore(), layout);
      }
    }
    traffic.onDisk(cause(request), disks);
    Moved moved = classes.get(request.getWork());
    if (moved != null) {
      moved.disk.incr(disks);
    }
  }

  private void stored(StoreOpProto store, CellLayout layout) {
    if (store.getTarget().getIndex() == 0) {
      (store.hasRebuild() ? rebuilt : parity).incr();
      stored.incr(
          store.hasRebuild() ? store.getRebuild().getBlock().getLength() : layout.blockLength());
    }
  }

  /** Bytes of a value that is read which are in its block: zeros behind it are on no disk. */
  private static long onDisk(ReadOpProto read, long length, CellLayout layout) {
    long held = held(read.getBlock().getLength(), read.getSource().getIndex(), layout);
    return Math.max(0, Math.min(length, held - read.getOffset()));
  }

  private static long onDisk(StoreOpProto store, long length, CellLayout layout) {
    long block = store.getRebuild().getBlock().getLength();
    return store.hasRebuild()
        ? Math.min(length, held(block, store.getTarget().getIndex(), layout))
        : length;
  }

  /** A request says how blocks are cut where they have several sub-blocks. */
  private static long held(long block, int index, CellLayout layout) {
    return layout.alpha() == 1 ? block : layout.held(index, block);
  }

  private void countSent(ExecuteRequestProto request, Map<Integer, Long> bytes) {
    Map<Integer, LinkClass> links = new HashMap<>();
    for (LinkProto link : request.getLinksList()) {
      links.put(link.getNode(), LinkClass.named(link.getLink()).orElse(LinkClass.UNKNOWN));
    }
    long all = bytes.values().stream().mapToLong(Long::longValue).sum();
    sent.incr(all);
    Moved moved = classes.get(request.getWork());
    if (moved != null) {
      moved.network.incr(all);
    }
    bytes.forEach(
        (node, some) ->
            traffic.sent(cause(request), links.getOrDefault(node, LinkClass.UNKNOWN), some));
  }

  private static Cause cause(ExecuteRequestProto request) {
    return cause(request.getCause(), request.getWork(), Cause.DEGRADED_READ);
  }

  /** Earlier releases say the class of work alone. */
  private static Cause cause(String cause, String work, Cause otherwise) {
    Cause ofWork =
        work.equals(WorkClass.REPAIR.word())
            ? Cause.REPAIR
            : work.equals(WorkClass.CONVERSION.word()) ? Cause.CONVERT : otherwise;
    return Cause.named(cause).orElse(ofWork);
  }

  /**
   * Counts a fragment that failed or was stopped. Readers stop fragments when they have all their
   * bytes.
   *
   * @param bytes bytes that it sent nevertheless, by the number of the node
   */
  void failed(ExecuteRequestProto request, Map<Integer, Long> bytes) {
    failed.incr();
    countSent(request, bytes);
  }

  /**
   * Counts a replica that was read.
   *
   * @param request names the purpose, if any
   */
  void verified(long bytes, VerifyRequestProto request) {
    verified.incr(bytes);
    traffic.onDisk(cause(request.getCause(), request.getWork(), Cause.OTHER), bytes);
    Moved moved = classes.get(request.getWork());
    if (moved != null) {
      moved.disk.incr(bytes);
    }
  }
}
