package org.braid.hdfs.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.braid.code.SubBlock;
import org.braid.engine.CellLayout;
import org.braid.engine.CellLayout.Part;
import org.braid.engine.FragmentRunner;
import org.braid.engine.Outcome;
import org.braid.engine.Ports;
import org.braid.engine.SliceSink;
import org.braid.engine.SliceSource;
import org.braid.hdfs.dispatch.Dispatch;
import org.braid.hdfs.dispatch.Worker;
import org.braid.hdfs.dispatch.WorkerException;
import org.braid.hdfs.dispatch.Workers;
import org.braid.hdfs.rpc.BlockTokens;
import org.braid.hdfs.rpc.FragmentCodec;
import org.braid.hdfs.rpc.ReadSource;
import org.braid.hdfs.rpc.Rpc;
import org.braid.hdfs.rpc.StoreTarget;
import org.braid.plan.Plan;
import org.jspecify.annotations.Nullable;

/**
 * One try of a degraded read: the helpers' fragments run on their workers, the root's fragment runs
 * here, its result goes to the reader's buffer. The first failure ends the whole run at once.
 */
final class DegradedRun implements Ports {
  private static final long SETTLE_MILLIS = 3000;

  /** So many slices tell how long one takes; the first waits for everything to begin. */
  private static final int FLOWING = 8;

  private final Plan plan;
  private final Stripe stripe;
  private final int client;
  private final Map<Integer, Worker> workerOf;
  private final Part part;
  private final CellLayout layout;
  private final ByteBuffer into;
  private final Workers workers;
  private final Streams streams;
  private final Moved moved;
  private final List<SliceSource> sources = new ArrayList<>();
  private final Map<Integer, String> culprits = new LinkedHashMap<>();
  private final Set<Integer> busy = new HashSet<>();
  private @Nullable IOException first;
  private @Nullable Dispatch dispatch;
  private boolean cancelled;
  private OptionalInt waitsFor = OptionalInt.empty();
  private long since = System.nanoTime();
  private long longest;
  private int slices;

  /** Opens the receiving end of a worker's stream. */
  interface Streams {
    SliceSource open(
        Worker worker, String run, int stream, long length, Token<BlockTokenIdentifier> token)
        throws IOException;
  }

  /** Hears how many bytes a node sent to another, as soon as its worker has told. */
  interface Moved {
    void bytes(int from, int to, long bytes);
  }

  /**
   * A try.
   *
   * @param plan nodes are positions in the stripe
   * @param client the node that the client is in the plan
   * @param workerOf the worker of each helper
   * @param layout of the stripe's blocks
   * @param part the sub-blocks and their range that are wanted
   * @param into takes the part as it lies in its block, as many bytes as remain in it
   */
  DegradedRun(
      Plan plan,
      Stripe stripe,
      int client,
      Map<Integer, Worker> workerOf,
      CellLayout layout,
      Part part,
      ByteBuffer into,
      Workers workers,
      Streams streams,
      Moved moved) {
    this.plan = plan;
    this.stripe = stripe;
    this.client = client;
    this.workerOf = workerOf;
    this.part = part;
    this.layout = layout;
    this.into = into;
    this.workers = workers;
    this.streams = streams;
    this.moved = moved;
  }

  /** Runs the plan to its end. */
  Outcome run(FragmentRunner runner, int slice) throws HelperException {
    synchronized (this) {
      since = System.nanoTime();
      if (first != null) {
        throw new HelperException(Map.of(), Set.of(), first);
      }
    }
    Dispatch sent =
        Dispatch.start(
            workers,
            plan.fragments().stream().filter(fragment -> fragment.node() != client).toList(),
            new Dispatch.Job(
                layout, part.length(), slice, this::worker, this::source, this::noStore),
            (node, response, failure) -> {
              if (failure != null) {
                workerFailed(node, failure);
              }
              if (response != null) {
                response
                    .getSentList()
                    .forEach(some -> moved.bytes(node, some.getNode(), some.getBytes()));
              }
            });
    dispatch = sent;
    try {
      return runner.run(plan.fragment(client), part.length(), this);
    } catch (IOException e) {
      throw failure(e);
    }
  }

  private StoreTarget noStore(SubBlock target) {
    throw new IllegalStateException("a helper of a degraded read stores " + target);
  }

  private Dispatch dispatch() {
    return Objects.requireNonNull(dispatch, "the run has not begun");
  }

  private ReadSource source(SubBlock subBlock) {
    int block = subBlock.block();
    return new ReadSource(stripe.block(block), part.offset(), stripe.token(block));
  }

  private Worker worker(int node) {
    Worker worker = workerOf.get(node);
    if (worker == null) {
      throw new IllegalStateException("no worker holds block " + node + " of the stripe");
    }
    return worker;
  }

  /** Notes a worker's failure and who is to blame; those after the first are its consequences. */
  private synchronized void workerFailed(int node, WorkerException e) {
    switch (e.kind()) {
      case UNREACHABLE -> culprits.put(node, "connection failed: " + e.getMessage());
      case BUSY -> {
        if (first == null) {
          busy.add(node);
        }
      }
      case FAILED -> {
        if (first == null && blamesSender()) {
          culprits.put(node, e.getMessage());
        }
      }
    }
    end(new IOException("worker " + worker(node).node().getHost() + ": " + e.getMessage(), e));
  }

  /** Whether whoever's stream or fragment fails first is at fault: nobody depends on others. */
  private boolean blamesSender() {
    return plan.shape().equals("star");
  }

  private synchronized void end(IOException failure) {
    if (first == null) {
      first = failure;
      for (SliceSource source : sources) {
        try {
          source.close();
        } catch (IOException e) {
          failure.addSuppressed(e);
        }
      }
    }
  }

  /** Gives the run up, as another one was faster. */
  void cancel() {
    synchronized (this) {
      cancelled = true;
    }
    end(new IOException("another plan was faster"));
  }

  /**
   * How much longer to wait for a slice before a helper counts as holding the run up: as long as
   * configured, or, once slices flow, ten times as long as the slowest of them took so far.
   *
   * @return nanoseconds; none when they are over
   */
  synchronized long patience(long configured) {
    long derived =
        slices < FLOWING
            ? configured
            : Math.max(configured / 5, Math.min(configured, 10 * longest));
    return Math.max(0, derived - (System.nanoTime() - since));
  }

  /** Has patience begin anew, as nothing can be done for the moment. */
  synchronized void beginAnew() {
    since = System.nanoTime();
  }

  /** The helper that holds the run up; empty when that is nobody else. */
  OptionalInt straggler(long millis) throws IOException {
    OptionalInt next;
    synchronized (this) {
      next = waitsFor;
    }
    if (next.isEmpty() || blamesSender()) {
      return next;
    }
    return OptionalInt.of(dispatch().straggler(next.getAsInt(), millis));
  }

  private synchronized void waitsFor(int from) {
    waitsFor = OptionalInt.of(from);
  }

  private synchronized void progress() {
    long now = System.nanoTime();
    longest = Math.max(longest, now - since);
    since = now;
    slices++;
    waitsFor = OptionalInt.empty();
  }

  /** Stops what still runs, waits a moment for the workers' own reasons. */
  private HelperException failure(IOException local) {
    end(local);
    var unused = dispatch().cancel();
    dispatch().settle(SETTLE_MILLIS);
    synchronized (this) {
      if (!cancelled) {
        // Whoever may have died is asked again before it is chosen again.
        dispatch().all().forEach(node -> workers.doubt(node.getUuid()));
      }
      IOException cause = first == null ? local : first;
      return new HelperException(culprits, busy, cause);
    }
  }

  /** CRC-32C of what each helper read, for helpers that answered. */
  Map<SubBlock, Integer> readCrcs() {
    dispatch().settle(SETTLE_MILLIS);
    Map<SubBlock, Integer> crcs = new HashMap<>();
    dispatch()
        .responses()
        .values()
        .forEach(response -> crcs.putAll(FragmentCodec.crcs(response.getReadsList())));
    return crcs;
  }

  @Override
  public SliceSource read(SubBlock source) {
    throw new IllegalStateException("the client stores no block, it cannot read " + source);
  }

  @Override
  public SliceSink send(int stream, int to) {
    throw new IllegalStateException("the client is the root, it cannot send to " + to);
  }

  @Override
  public SliceSource receive(int stream, int from) throws IOException {
    SliceSource source;
    waitsFor(from);
    try {
      // Any block token of the cluster opens a connection; what matters is the run's secret name.
      Token<BlockTokenIdentifier> token = BlockTokens.decode(stripe.token(from));
      source = streams.open(worker(from), dispatch().run(), stream, part.length(), token);
    } catch (IOException e) {
      throw streamFailed(from, e);
    }
    synchronized (this) {
      sources.add(source);
      if (first != null) {
        source.close();
        throw new IOException("the run has failed: " + first.getMessage(), first);
      }
    }
    return new SliceSource() {
      @Override
      public void read(long at, ByteBuffer slice) throws IOException {
        waitsFor(from);
        try {
          source.read(at, slice);
          progress();
        } catch (IOException e) {
          throw streamFailed(from, e);
        }
      }

      @Override
      public void close() throws IOException {
        source.close();
      }
    };
  }

  private synchronized IOException streamFailed(int from, IOException e) {
    if (first == null && blamesSender()) {
      culprits.put(from, Rpc.reason(e));
    }
    end(e);
    return e;
  }

  @Override
  public SliceSink store(SubBlock target) {
    return new SliceSink() {
      private long written = part.offset();

      @Override
      public void write(ByteBuffer slice) {
        while (slice.hasRemaining()) {
          int count = (int) Math.min(slice.remaining(), layout.run(written));
          long start = layout.inBlock(target.index(), written) - part.start();
          into.put(Math.toIntExact(into.position() + start), slice, slice.position(), count);
          slice.position(slice.position() + count);
          written += count;
        }
      }

      @Override
      public void finish(int crc32c) {}

      @Override
      public void close() {}
    };
  }
}
