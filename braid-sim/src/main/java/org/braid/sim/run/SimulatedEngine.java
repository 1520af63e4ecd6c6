package org.braid.sim.run;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.braid.code.SubBlock;
import org.braid.plan.Fragment;
import org.braid.plan.Link;
import org.braid.plan.Operation;
import org.braid.plan.Plan;
import org.braid.plan.Step;
import org.braid.sim.net.SimulatedNetwork;

/**
 * Runs plans on virtual time. As on a cluster, each node runs its fragment slice by slice in the
 * plan's order. Reading takes time of its disk, combining of its processor. A stream sends one
 * slice after the other and buffers a few, so that its sender waits for a slow receiver.
 */
public final class SimulatedEngine {
  private final SimulatedNetwork network;
  private final long sliceBytes;
  private final int queueSlices;

  /**
   * An engine.
   *
   * @param network that plans share
   * @param sliceBytes bytes of a slice; with slices as long as blocks, nodes store and forward
   * @param queueSlices slices that a stream buffers before its sender waits, 1 or more
   */
  public SimulatedEngine(SimulatedNetwork network, long sliceBytes, int queueSlices) {
    if (sliceBytes < 1 || queueSlices < 1) {
      throw new IllegalArgumentException(
          "slices of %d bytes, %d of them in a stream: both must be at least 1"
              .formatted(sliceBytes, queueSlices));
    }
    this.network = network;
    this.sliceBytes = sliceBytes;
    this.queueSlices = queueSlices;
  }

  /**
   * Begins a plan now.
   *
   * @param length bytes of each sub-block, 0 or more
   * @param payload told every operation
   * @param done told when all nodes are done, unless the plan is stopped before
   */
  public Running begin(Plan plan, long length, Payload payload, Consumer<SimulatedRun> done) {
    if (length < 0) {
      throw new IllegalArgumentException("values cannot have " + length + " bytes");
    }
    Running running = new Running(plan, length, payload, done);
    running.begin();
    return running;
  }

  /** A running plan. */
  public final class Running {
    private final long length;
    private final long size;
    private final Payload payload;
    private final Consumer<SimulatedRun> done;
    private final long began = network.simulation().now();
    private final Map<Integer, Stream> streams = new HashMap<>();
    private final Map<Link, Long> bytes = new HashMap<>();
    private final Map<SubBlock, Integer> storedAt = new HashMap<>();
    private final List<Worker> workers = new ArrayList<>();
    private int working;
    private boolean stopped;

    private Running(Plan plan, long length, Payload payload, Consumer<SimulatedRun> done) {
      this.length = length;
      this.size = Math.max(1, Math.min(sliceBytes, length));
      this.payload = payload;
      this.done = done;
      for (Step step : plan.steps()) {
        if (step instanceof Step.Send send) {
          streams.put(send.id(), new Stream(send.from(), send.node()));
          bytes.putIfAbsent(new Link(send.from(), send.node()), 0L);
        }
      }
      plan.fragments().forEach(fragment -> workers.add(new Worker(fragment)));
    }

    private void begin() {
      working = workers.size();
      if (working == 0) {
        network.simulation().after(0, this::end);
      }
      workers.forEach(worker -> network.simulation().after(0, worker::run));
    }

    private void end() {
      if (!stopped) {
        done.accept(new SimulatedRun(began, network.simulation().now(), bytes, storedAt));
      }
    }

    /** Stops the plan; bytes on their way still arrive. */
    public void stop() {
      stopped = true;
    }

    private Stream stream(int number) {
      Stream stream = streams.get(number);
      if (stream == null) {
        throw new IllegalStateException("no stream " + number);
      }
      return stream;
    }

    /** A stream of slices from a node to another. */
    private final class Stream {
      private final int from;
      private final int to;

      /** Numbers of slices that the sender gave, that left it, arrived, and were taken. */
      private int given;

      private int sent;
      private int brought;
      private int taken;
      private boolean sending;
      private Runnable wakeSender = () -> {};
      private Runnable wakeReceiver = () -> {};

      Stream(int from, int to) {
        this.from = from;
        this.to = to;
      }

      boolean hasRoom() {
        return given - taken < queueSlices;
      }

      void give() {
        given++;
        sendNext();
      }

      private void sendNext() {
        if (!sending && sent < given) {
          sending = true;
          long count = count(sent);
          network.send(from, to, count, this::left, () -> arrived(count));
        }
      }

      /** The links are free for the next slice, whatever the delay. */
      private void left() {
        sending = false;
        sent++;
        sendNext();
      }

      private void arrived(long count) {
        brought++;
        bytes.merge(new Link(from, to), count, Long::sum);
        Runnable wake = wakeReceiver;
        wakeReceiver = () -> {};
        wake.run();
      }

      boolean hasSlice() {
        return taken < brought;
      }

      void take() {
        taken++;
        Runnable wake = wakeSender;
        wakeSender = () -> {};
        wake.run();
      }
    }

    private long offset(int slice) {
      return slice * size;
    }

    private long count(int slice) {
      return Math.min(size, length - offset(slice));
    }

    /** Runs the fragment of a node. */
    private final class Worker {
      private final Fragment fragment;
      private final int node;
      private int slice;
      private int next;

      Worker(Fragment fragment) {
        this.fragment = fragment;
        this.node = fragment.node();
      }

      /** Runs operations until one waits or all slices are done. */
      void run() {
        while (!stopped && offset(slice) < length) {
          if (next == fragment.ops().size()) {
            next = 0;
            slice++;
          } else if (waits(fragment.ops().get(next))) {
            return;
          } else {
            ran();
          }
        }
        if (!stopped) {
          fragment.ops().forEach(this::publish);
          if (--working == 0) {
            end();
          }
        }
      }

      private void publish(Operation op) {
        if (op instanceof Operation.Store store) {
          storedAt.put(store.target(), node);
        }
      }

      private void ran() {
        payload.ran(node, fragment.ops().get(next), offset(slice), (int) count(slice));
        next++;
      }

      private void resume() {
        if (!stopped) {
          ran();
          run();
        }
      }

      /** Begins an operation; returns whether it waits, and then resumes when the wait is over. */
      private boolean waits(Operation op) {
        if (op instanceof Operation.Read || op instanceof Operation.Store) {
          return passes(network.fabric().disk(node), count(slice));
        } else if (op instanceof Operation.Combine combine) {
          long cells = (long) combine.inputs().size() * combine.outputs().size();
          return passes(network.fabric().cpu(node), cells * count(slice));
        } else if (op instanceof Operation.Send send) {
          Stream stream = stream(send.stream());
          if (!stream.hasRoom()) {
            stream.wakeSender = this::run;
            return true;
          }
          stream.give();
          return false;
        } else if (op instanceof Operation.Receive receive) {
          Stream stream = stream(receive.value());
          if (!stream.hasSlice()) {
            stream.wakeReceiver = this::run;
            return true;
          }
          stream.take();
          return false;
        }
        throw new IllegalStateException("unknown operation " + op);
      }

      private boolean passes(int[] links, long bytes) {
        if (links.length == 0 || bytes == 0) {
          return false;
        }
        network.pass(links, bytes, this::resume);
        return true;
      }
    }
  }
}
