package org.braid.sim.run;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.braid.code.SubBlock;
import org.braid.engine.Link;
import org.braid.plan.Fragment;
import org.braid.plan.Op;
import org.braid.plan.Plan;
import org.braid.plan.Step;
import org.braid.sim.net.Wires;

/**
 * The fourth engine: runs plans on virtual time. As on a cluster each node runs its fragment slice
 * by slice, in the plan's order; reading keeps its disk busy, combining its processor, and a stream
 * sends one slice after the other and holds a few, so that its sender waits for a slow receiver.
 */
public final class SimulatedEngine {
  private final Wires wires;
  private final long sliceBytes;
  private final int queueSlices;

  /**
   * An engine.
   *
   * @param wires what plans share
   * @param sliceBytes bytes of a slice; with slices as long as blocks nodes store and forward
   * @param queueSlices slices that a stream holds before its sender waits, 1 or more
   */
  public SimulatedEngine(Wires wires, long sliceBytes, int queueSlices) {
    if (sliceBytes < 1 || queueSlices < 1) {
      throw new IllegalArgumentException(
          "slices of %d bytes, %d of them in a stream: both need at least 1"
              .formatted(sliceBytes, queueSlices));
    }
    this.wires = wires;
    this.sliceBytes = sliceBytes;
    this.queueSlices = queueSlices;
  }

  /**
   * Begins a plan now.
   *
   * @param length bytes of each sub-block, 0 or more
   * @param payload what travels with it
   * @param done told when all nodes are done; not when it is stopped before
   */
  public Running begin(Plan plan, long length, Payload payload, Consumer<SimulatedRun> done) {
    if (length < 0) {
      throw new IllegalArgumentException("values cannot have " + length + " bytes");
    }
    Running running = new Running(plan, length, payload, done);
    running.begin();
    return running;
  }

  /** A plan that runs. */
  public final class Running {
    private final long length;
    private final long size;
    private final Payload payload;
    private final Consumer<SimulatedRun> done;
    private final long began = wires.simulation().now();
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
        wires.simulation().after(0, this::end);
      }
      workers.forEach(worker -> wires.simulation().after(0, worker::run));
    }

    private void end() {
      if (!stopped) {
        done.accept(new SimulatedRun(began, wires.simulation().now(), bytes, storedAt));
      }
    }

    /** Stops it; bytes that are on their way arrive all the same. */
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

    /** Slices on their way from a worker to another. */
    private final class Stream {
      private final int from;
      private final int to;

      /** Slices that the sender gave, that left it, that arrived, and that the receiver took. */
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
          wires.send(from, to, count, this::left, () -> arrived(count));
        }
      }

      /** The next slice may follow, whatever the delay. */
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

    /** A node that runs its fragment. */
    private final class Worker {
      private final Fragment fragment;
      private final int node;
      private int slice;
      private int next;

      Worker(Fragment fragment) {
        this.fragment = fragment;
        this.node = fragment.node();
      }

      /** Runs operations until one has to wait, or all slices are done. */
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

      private void publish(Op op) {
        if (op instanceof Op.Store store) {
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

      /** Whether an operation takes time; then the worker goes on when that has passed. */
      private boolean waits(Op op) {
        if (op instanceof Op.Read || op instanceof Op.Store) {
          return passes(wires.fabric().disk(node), count(slice));
        } else if (op instanceof Op.Combine combine) {
          long cells = (long) combine.inputs().size() * combine.outputs().size();
          return passes(wires.fabric().cpu(node), cells * count(slice));
        } else if (op instanceof Op.Send send) {
          Stream stream = stream(send.stream());
          if (!stream.hasRoom()) {
            stream.wakeSender = this::run;
            return true;
          }
          stream.give();
          return false;
        } else if (op instanceof Op.Receive receive) {
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
        wires.pass(links, bytes, this::resume);
        return true;
      }
    }
  }
}
