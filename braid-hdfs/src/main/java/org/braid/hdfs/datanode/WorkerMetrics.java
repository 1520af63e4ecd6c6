package org.braid.hdfs.datanode;

import java.util.function.LongSupplier;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.Interns;
import org.apache.hadoop.metrics2.lib.MetricsRegistry;
import org.apache.hadoop.metrics2.lib.MutableCounterLong;
import org.apache.hadoop.metrics2.lib.MutableRate;
import org.braid.hdfs.proto.BraidProtos.BytesProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteRequestProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteResponseProto;
import org.braid.hdfs.proto.BraidProtos.OpProto;
import org.braid.hdfs.rpc.PublishedMetrics;

/** What a worker does, for monitoring systems. */
final class WorkerMetrics implements MetricsSource {
  private static final MetricsInfo RUNNING =
      Interns.info("FragmentsRunning", "Fragments of plans that run now");
  private static final MetricsInfo MEMORY =
      Interns.info("MemoryUsed", "Bytes of buffers that fragments have now");

  private final MetricsRegistry registry = PublishedMetrics.registry();
  private final LongSupplier running;
  private final LongSupplier memory;
  private final MutableRate fragments =
      registry.newRate("Fragment", "Milliseconds that fragments took, and their number");
  private final MutableCounterLong failed =
      registry.newCounter("FragmentsFailed", "Fragments that failed or were stopped", 0L);
  private final MutableCounterLong read =
      registry.newCounter("BytesRead", "Bytes of replicas that fragments read here", 0L);
  private final MutableCounterLong sent =
      registry.newCounter("BytesSent", "Bytes that fragments sent to other nodes", 0L);
  private final MutableCounterLong rebuilt =
      registry.newCounter("ReplicasStored", "Replicas of data rebuilt or moved to this node", 0L);
  private final MutableCounterLong parity =
      registry.newCounter("ParityStored", "Blocks of parity stored on this node", 0L);
  private final MutableCounterLong stored =
      registry.newCounter("BytesStored", "Bytes of replicas and parity stored", 0L);
  private final MutableCounterLong verified =
      registry.newCounter("BytesVerified", "Bytes of replicas read to verify them", 0L);

  WorkerMetrics(LongSupplier running, LongSupplier memory) {
    this.running = running;
    this.memory = memory;
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

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    MetricsRecordBuilder record = collector.addRecord(registry.info());
    record.addGauge(RUNNING, running.getAsLong());
    record.addGauge(MEMORY, memory.getAsLong());
    registry.snapshot(record, all);
  }
}
