package org.braid.hdfs.datanode;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.hadoop.metrics2.lib.MutableCounterLong;
import org.apache.hadoop.metrics2.lib.MutableRate;
import org.braid.hdfs.proto.BraidProtos.BytesProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteRequestProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteResponseProto;
import org.braid.hdfs.proto.BraidProtos.OpProto;
import org.braid.hdfs.proto.BraidProtos.ScrubResponseProto.Finding;
import org.braid.hdfs.rpc.DaemonMetrics;
import org.braid.plan.throttle.WorkClass;

/** What a worker does, for monitoring systems. */
final class WorkerMetrics {
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

  /** By the class of work, what it moves; of a class that this release does not know, nothing. */
  private final Map<String, Moved> classes = new HashMap<>();

  private record Moved(MutableCounterLong network, MutableCounterLong disk) {}

  WorkerMetrics(LongSupplier running, LongSupplier memory, LongSupplier limited) {
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

  /** A replica was read and compared with what was encoded. */
  void scrubbed(long bytes) {
    scrubbed.incr();
    scrubbedBytes.incr(bytes);
  }

  /** What a scrub found when it looked again; of what is bad HDFS was told. */
  void found(Finding finding) {
    MutableCounterLong bad = findings.get(finding);
    if (bad != null) {
      bad.incr();
    }
  }

  /** What is published. */
  DaemonMetrics daemon() {
    return daemon;
  }

  /** A fragment has done what it was to do. */
  void ended(
      ExecuteRequestProto request, ExecuteResponseProto response, long blockLength, long millis) {
    fragments.add(millis);
    Moved moved = classes.get(request.getWork());
    if (moved != null) {
      moved.network.incr(response.getSentList().stream().mapToLong(BytesProto::getBytes).sum());
      long disks =
          request.getOpsList().stream().filter(op -> op.hasRead() || op.hasStore()).count();
      moved.disk.incr(disks * request.getLength());
    }
    response.getSentList().stream().mapToLong(BytesProto::getBytes).forEach(sent::incr);
    for (OpProto op : request.getOpsList()) {
      if (op.hasRead()) {
        read.incr(request.getLength());
      } else if (op.hasStore() && op.getStore().getTarget().getIndex() == 0) {
        (op.getStore().hasRebuild() ? rebuilt : parity).incr();
        stored.incr(
            op.getStore().hasRebuild()
                ? op.getStore().getRebuild().getBlock().getLength()
                : blockLength);
      }
    }
  }

  /** A fragment has failed. */
  void failed() {
    failed.incr();
  }

  /**
   * A replica was read.
   *
   * @param work what for; empty when that was not said
   */
  void verified(long bytes, String work) {
    verified.incr(bytes);
    Moved moved = classes.get(work);
    if (moved != null) {
      moved.disk.incr(bytes);
    }
  }
}
