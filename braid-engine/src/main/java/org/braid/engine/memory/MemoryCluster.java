package org.braid.engine.memory;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.braid.code.SubBlock;
import org.braid.engine.FragmentResult;
import org.braid.engine.PlanResult;
import org.braid.engine.Ports;
import org.braid.engine.SliceSink;
import org.braid.engine.SliceSource;
import org.braid.plan.Link;
import org.braid.plan.Plan;
import org.braid.plan.Step;

/** The streams and stores of one run of a {@link MemoryEngine}. */
final class MemoryCluster {
  private final BlockSource blocks;
  private final int length;
  private final Map<Integer, MemoryStream> streams = new HashMap<>();
  private final Map<Integer, Map<SubBlock, byte[]>> stored = new TreeMap<>();

  MemoryCluster(Plan plan, BlockSource blocks, int length, int queueSlices) {
    this.blocks = blocks;
    this.length = length;
    for (Step step : plan.steps()) {
      if (step instanceof Step.Send send) {
        Link link = new Link(send.from(), send.node());
        streams.put(send.id(), new MemoryStream(send.id(), link, queueSlices));
      }
    }
  }

  Ports ports(int node) {
    return new Ports() {
      @Override
      public SliceSource read(SubBlock source) throws IOException {
        return blocks.open(node, source);
      }

      @Override
      public SliceSource receive(int stream, int from) throws IOException {
        return stream(stream, new Link(from, node)).source();
      }

      @Override
      public SliceSink send(int stream, int to) throws IOException {
        return stream(stream, new Link(node, to)).sink();
      }

      @Override
      public SliceSink store(SubBlock target) {
        return new StoreSink(node, target);
      }
    };
  }

  void breakUp(String reason) {
    streams.values().forEach(stream -> stream.breakUp(reason));
  }

  PlanResult result(Map<Integer, FragmentResult> outcomes) {
    Map<Link, Long> bytes = new HashMap<>();
    for (MemoryStream stream : streams.values()) {
      bytes.merge(stream.link(), stream.bytes(), Long::sum);
    }
    synchronized (stored) {
      return new PlanResult(stored, bytes, outcomes);
    }
  }

  private MemoryStream stream(int number, Link link) throws IOException {
    MemoryStream stream = streams.get(number);
    if (stream == null || !stream.link().equals(link)) {
      throw new IOException("no stream " + number + " of " + link);
    }
    return stream;
  }

  /** Collects the bytes of a sub-block; it is stored when finished. */
  private final class StoreSink implements SliceSink {
    private final int node;
    private final SubBlock target;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(length);

    StoreSink(int node, SubBlock target) {
      this.node = node;
      this.target = target;
    }

    @Override
    public void write(ByteBuffer slice) {
      byte[] copy = new byte[slice.remaining()];
      slice.get(copy);
      bytes.writeBytes(copy);
    }

    @Override
    public void finish(int crc32c) {
      synchronized (stored) {
        stored.computeIfAbsent(node, unused -> new TreeMap<>()).put(target, bytes.toByteArray());
      }
    }

    @Override
    public void close() {}
  }
}
