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
import org.braid.plan.Op;
import org.jspecify.annotations.Nullable;

/** One run of a fragment. */
final class FragmentRun implements Closeable {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final Fragment fragment;
  private final long length;
  private final Map<Integer, Value> values = new HashMap<>();
  private final List<Stage> stages = new ArrayList<>();
  private final long cpuAtStart = cpuNanos();
  private final long start = System.nanoTime();
  private long readNanos;
  private long waitNanos;

  FragmentRun(Fragment fragment, long length, SlotLayout layout, BufferPool.Lease lease) {
    this.fragment = fragment;
    this.length = length;
    List<ByteBuffer> buffers = lease.buffers();
    layout.slotOf().forEach((value, slot) -> values.put(value, new Value(buffers.get(slot))));
  }

  void open(Ports ports, Kernel kernel) throws IOException {
    for (Op op : fragment.ops()) {
      try {
        stages.add(stage(op, ports, kernel));
      } catch (IOException | RuntimeException e) {
        throw new IOException(at(op) + ": cannot start: " + reason(e), e);
      }
    }
  }

  private Stage stage(Op op, Ports ports, Kernel kernel) throws IOException {
    if (op instanceof Op.Read read) {
      return new Stage.Source(op, ports.read(read.source()), value(read.value()));
    } else if (op instanceof Op.Receive receive) {
      SliceSource stream = ports.receive(receive.value(), receive.from());
      return new Stage.Source(op, stream, value(receive.value()));
    } else if (op instanceof Op.Send send) {
      return new Stage.Sink(ports.send(send.stream(), send.to()), value(send.value()));
    } else if (op instanceof Op.Store store) {
      return new Stage.Sink(ports.store(store.target()), value(store.value()));
    } else if (op instanceof Op.Combine combine) {
      Value[] outputs = combine.outputs().stream().map(this::value).toArray(Value[]::new);
      if (combine.inputs().isEmpty()) {
        return new Stage.Zero(List.of(outputs));
      }
      Value[] inputs = combine.inputs().stream().map(this::value).toArray(Value[]::new);
      return new Stage.Combine(
          combine.coefficients(), kernel.transform(combine.coefficients()), inputs, outputs);
    }
    throw new IllegalStateException("unknown operation " + op);
  }

  void slice(long offset, int count) throws IOException {
    for (int i = 0; i < stages.size(); i++) {
      try {
        Stage stage = stages.get(i);
        long before = System.nanoTime();
        stage.slice(offset, count);
        if (stage instanceof Stage.Source) {
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

  Outcome outcome() {
    Map<SubBlock, Integer> reads = new HashMap<>();
    Map<SubBlock, Integer> stores = new HashMap<>();
    Map<Integer, Long> sent = new HashMap<>();
    Map<Integer, Long> received = new HashMap<>();
    for (Op op : fragment.ops()) {
      if (op instanceof Op.Read read) {
        reads.put(read.source(), value(read.value()).crc32c());
      } else if (op instanceof Op.Store store) {
        stores.put(store.target(), value(store.value()).crc32c());
      } else if (op instanceof Op.Send send) {
        sent.merge(send.to(), length, Long::sum);
      } else if (op instanceof Op.Receive receive) {
        received.merge(receive.from(), length, Long::sum);
      }
    }
    return new Outcome(
        reads, stores, sent, received, cpuNanos() - cpuAtStart, readNanos, waitNanos);
  }

  @Override
  public void close() throws IOException {
    IOException failure = null;
    for (Stage stage : stages) {
      failure = close(stage, failure);
    }
    if (failure != null) {
      throw failure;
    }
  }

  private static @Nullable IOException close(Stage stage, @Nullable IOException failure) {
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

  private Value value(int id) {
    Value value = values.get(id);
    if (value == null) {
      throw new IllegalArgumentException("no value " + id);
    }
    return value;
  }

  private String at(Op op) {
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
