package org.braid.hdfs.datanode;

import java.util.function.LongSupplier;
import org.apache.hadoop.metrics2.lib.MutableCounterLong;
import org.apache.hadoop.metrics2.lib.MutableRate;
import org.braid.hdfs.proto.BraidProtos.BytesProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteRequestProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteResponseProto;
import org.braid.hdfs.proto.BraidProtos.OpProto;
import org.braid.hdfs.rpc.DaemonMetrics;

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

  WorkerMetrics(LongSupplier running, LongSupplier memory) {
    daemon.gauge("FragmentsRunning", "Fragments of plans that run now", running);
    daemon.gauge("MemoryUsed", "Bytes of buffers that fragments have now", memory);
  }

  /** What is published. */
  DaemonMetrics daemon() {
    return daemon;
  }

  /** A fragment has done what it was to do. */
  void ended(
      ExecuteRequestProto request, ExecuteResponseProto response, long blockLength, long millis) {
    fragments.add(millis);
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

  /** A replica was read. */
  void verified(long bytes) {
    verified.incr(bytes);
  }
}
