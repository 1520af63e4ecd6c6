package org.braid.engine;

import java.io.Closeable;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.braid.code.SubBlock;
import org.braid.kernel.Kernel;
import org.braid.plan.Fragment;
import org.braid.plan.Operation;
import org.jspecify.annotations.Nullable;

/** One run of a fragment. */
final class FragmentRun implements Closeable {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final Fragment fragment;
  private final long length;
  private final Map<Integer, ValueBuffer> values = new HashMap<>();
  private final List<OperationRun> stages = new ArrayList<>();
  private final long cpuAtStart = cpuNanos();
  private final long start = System.nanoTime();
  private long readNanos;
  private long waitNanos;

  FragmentRun(Fragment fragment, long length, SlotLayout layout, BufferPool.Lease lease) {
    this.fragment = fragment;
    this.length = length;
    List<ByteBuffer> buffers = lease.buffers();
    layout.slotOf().forEach((value, slot) -> values.put(value, new ValueBuffer(buffers.get(slot))));
  }

  void open(Ports ports, Kernel kernel) throws IOException {
    for (Operation op : fragment.ops()) {
      try {
        stages.add(stage(op, ports, kernel));
      } catch (IOException | RuntimeException e) {
        throw new IOException(at(op) + ": cannot start: " + reason(e), e);
      }
    }
  }

  private OperationRun stage(Operation op, Ports ports, Kernel kernel) throws IOException {
    if (op instanceof Operation.Read read) {
      return new OperationRun.Source(op, ports.read(read.source()), value(read.value()));
    } else if (op instanceof Operation.Receive receive) {
      SliceSource stream = ports.receive(receive.value(), receive.from());
      return new OperationRun.Source(op, stream, value(receive.value()));
    } else if (op instanceof Operation.Send send) {
      return new OperationRun.Sink(ports.send(send.stream(), send.to()), value(send.value()));
    } else if (op instanceof Operation.Store store) {
      return new OperationRun.Sink(ports.store(store.target()), value(store.value()));
    } else if (op instanceof Operation.Combine combine) {
      ValueBuffer[] outputs =
          combine.outputs().stream().map(this::value).toArray(ValueBuffer[]::new);
      if (combine.inputs().isEmpty()) {
        return new OperationRun.Zero(List.of(outputs));
      }
      ValueBuffer[] inputs = combine.inputs().stream().map(this::value).toArray(ValueBuffer[]::new);
      return new OperationRun.Combine(
          combine.coefficients(), kernel.transform(combine.coefficients()), inputs, outputs);
    }
    throw new IllegalStateException("unknown operation " + op);
  }

  void slice(long offset, int count) throws IOException {
    for (int i = 0; i < stages.size(); i++) {
      try {
        OperationRun stage = stages.get(i);
        long before = System.nanoTime();
        stage.slice(offset, count);
        if (stage instanceof OperationRun.Source) {
          long now = System.nanoTime();
          readNanos = now - start;
          waitNanos += now - before;
        }
      } catch (IOException | RuntimeException e) {
        throw new IOException(
            at(fragment.ops().get(i))
                + ", bytes "
                + offset
                + " to "
                + (offset + count)
                + " of "
                + length
                + ": "
                + reason(e),
            e);
      }
    }
  }

  void finish() throws IOException {
    for (int i = 0; i < stages.size(); i++) {
      try {
        stages.get(i).finish();
      } catch (IOException | RuntimeException e) {
        throw new IOException(
            at(fragment.ops().get(i)) + ": cannot finish " + length + " bytes: " + reason(e), e);
      }
    }
  }

  FragmentResult result() {
    Map<SubBlock, Integer> reads = new HashMap<>();
    Map<SubBlock, Integer> stores = new HashMap<>();
    Map<Integer, Long> sent = new HashMap<>();
    Map<Integer, Long> received = new HashMap<>();
    for (Operation op : fragment.ops()) {
      if (op instanceof Operation.Read read) {
        reads.put(read.source(), value(read.value()).crc32c());
      } else if (op instanceof Operation.Store store) {
        stores.put(store.target(), value(store.value()).crc32c());
      } else if (op instanceof Operation.Send send) {
        sent.merge(send.to(), length, Long::sum);
      } else if (op instanceof Operation.Receive receive) {
        received.merge(receive.from(), length, Long::sum);
      }
    }
    return new FragmentResult(
        reads, stores, sent, received, cpuNanos() - cpuAtStart, readNanos, waitNanos);
  }

  @Override
  public void close() throws IOException {
    IOException failure = null;
    for (OperationRun stage : stages) {
      failure = close(stage, failure);
    }
    if (failure != null) {
      throw failure;
    }
  }

  private static @Nullable IOException close(OperationRun stage, @Nullable IOException failure) {
    try {
      stage.close();
      return failure;
    } catch (IOException | RuntimeException e) {
      if (failure == null) {
        return new IOException("cannot close: " + reason(e), e);
      }
      failure.addSuppressed(e);
      return failure;
    }
  }

  private ValueBuffer value(int id) {
    ValueBuffer value = values.get(id);
    if (value == null) {
      throw new IllegalArgumentException("no value " + id);
    }
    return value;
  }

  private String at(Operation op) {
    return "node " + fragment.node() + ", " + op;
  }

  private static String reason(Exception e) {
    String message = e.getMessage();
    return message != null ? message : e.getClass().getName();
  }

  private static long cpuNanos() {
    return THREADS.isCurrentThreadCpuTimeSupported()
        ? Math.max(0, THREADS.getCurrentThreadCpuTime())
        : 0;
  }
}
