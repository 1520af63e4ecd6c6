package org.braid.hdfs.client.degraded;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import java.util.zip.Checksum;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.braid.code.SubBlock;
import org.braid.engine.BufferPool;
import org.braid.engine.BusyException;
import org.braid.engine.FragmentRunner;
import org.braid.engine.block.CellLayout;
import org.braid.hdfs.client.statistics.ReadCounters;
import org.braid.hdfs.client.statistics.ReadCounters.Counter;
import org.braid.hdfs.dispatch.Worker;
import org.braid.hdfs.dispatch.Workers;
import org.braid.hdfs.engine.HdfsEngine;
import org.braid.hdfs.engine.HdfsJob;
import org.braid.hdfs.engine.HdfsResult;
import org.braid.hdfs.engine.HdfsRun;
import org.braid.hdfs.engine.LocalNode;
import org.braid.hdfs.engine.PlanFailedException;
import org.braid.hdfs.rpc.BlockTokens;
import org.braid.hdfs.rpc.ReadSource;
import org.braid.hdfs.rpc.StoreTarget;
import org.braid.hdfs.stripe.Datanode;
import org.braid.hdfs.stripe.Member;
import org.braid.kernel.Jdk;
import org.braid.kernel.Kernels;
import org.braid.plan.Plan;
import org.braid.plan.cost.Network;
import org.braid.plan.shape.RepairPlanner;
import org.braid.plan.shape.RepairPlanners;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads ranges of lost blocks: plans a repair whose root is the client (PPR section 4.3) and runs
 * it with the other blocks of the stripe. Reads and moves only the requested range.
 *
 * <p>Helpers verify the blocks that they read against HDFS's checksums, and every hop has its own
 * CRC-32C. A whole rebuilt block is also compared with its CRC-32C recorded at encoding; there is
 * no such record for a part of a block. Thread-safe.
 */
public final class DegradedReader implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(DegradedReader.class);

  /** So many stripes are tried for a range, each of which a block has left meanwhile. */
  private static final int MOST_STRIPES = 5;

  private static final String STAR = "star";
  private static final String SLOW = "holds the read up";
  private static final int BUSY_TRIES = 40;
  private static final long BUSY_MILLIS = 250;

  private final StripeLookup stripes;
  private final Workers workers;
  private final LocalNode.Streams streams;
  private final DegradedSettings settings;
  private final SuspectNodes suspects;
  private final BufferPool pool;
  private final HdfsEngine engine;

  /**
   * A reader.
   *
   * @param streams opens the receiving ends of helpers' streams
   * @param clock nanoseconds, from any origin
   */
  public DegradedReader(
      StripeLookup stripes,
      Workers workers,
      LocalNode.Streams streams,
      DegradedSettings settings,
      LongSupplier clock) {
    this.stripes = stripes;
    this.workers = workers;
    this.streams = streams;
    this.settings = settings;
    this.suspects = new SuspectNodes(settings.hedge().suspectMillis(), clock);
    this.pool = new BufferPool(settings.memory());
    this.engine = new HdfsEngine(workers);
  }

  /** Shapes the plans of degraded reads. */
  public RepairPlanner planner() {
    return settings.planner();
  }

  DegradedSettings settings() {
    return settings;
  }

  /** Whether a block is in a stripe, so that it may be rebuilt. */
  boolean isInStripe(String path, LocatedBlock block) throws IOException {
    return stripe(path, block).isPresent();
  }

  /**
   * Rebuilds a range of a block that cannot be read.
   *
   * @param path the file, which the reader may read
   * @param lost the block
   * @param offset offset of the range in the block
   * @param into buffer for the range, whose remaining bytes lie within the block
   * @param counters count the work of the read
   * @return the number of rebuilt bytes, which may end a long range early at a suitable boundary; 0
   *     when the block is in no stripe and cannot be rebuilt
   * @throws BlockMissingException when too few blocks of the stripe are reachable
   */
  public int read(
      String path, LocatedBlock lost, long offset, ByteBuffer into, ReadCounters counters)
      throws IOException {
    for (int i = 1; ; i++) {
      Optional<DegradedStripe> found = stripe(path, lost);
      if (found.isEmpty()) {
        return 0;
      }
      try {
        return read(path, lost, found.get(), offset, into, counters);
      } catch (OtherStripeException e) {
        if (i == MOST_STRIPES) {
          throw e;
        }
        LOG.info("{} of {} is in another stripe now", lost.getBlock(), path);
      } catch (RejectedExecutionException e) {
        // Nobody asks workers any more: programs expect what HDFS's own reads say then.
        throw new IOException("Filesystem closed", e);
      }
    }
  }

  private int read(
      String path,
      LocatedBlock lost,
      DegradedStripe stripe,
      long offset,
      ByteBuffer into,
      ReadCounters counters)
      throws IOException {
    CellLayout layout = stripe.stripe().layout();
    boolean whole = offset == 0 && into.remaining() == lost.getBlockSize();
    long bytes = whole ? into.remaining() : layout.toWholeRounds(offset, into.remaining());
    ByteBuffer range = into.slice(into.position(), Math.toIntExact(bytes));
    Map<String, String> leftOut = new LinkedHashMap<>();
    do {
      for (long at = 0; at < bytes; ) {
        CellLayout.Part part = layout.part(offset + at, bytes - at);
        byte[] rebuilt = new Piece(path, lost, stripe, layout, part, leftOut, counters).read();
        range.put((int) at, rebuilt);
        at += rebuilt.length;
      }
    } while (whole && layout.alpha() > 1 && !isRight(path, lost, stripe, range, leftOut));
    into.position(into.position() + range.capacity());
    counters.add(Counter.DEGRADED_READS, 1);
    counters.add(Counter.DEGRADED_BYTES, range.capacity());
    return range.capacity();
  }

  /**
   * Whether a whole block of several sub-blocks is the one recorded; if not, helpers whose copies
   * are not are left out from now on.
   *
   * @throws IOException when no helper is to blame
   */
  private boolean isRight(
      String path,
      LocatedBlock lost,
      DegradedStripe stripe,
      ByteBuffer content,
      Map<String, String> leftOut)
      throws IOException {
    Checksum crc = Jdk.crc32c();
    Jdk.update(crc, content.duplicate());
    int recorded = stripe.stripe().member(stripe.lost()).crc();
    if ((int) crc.getValue() == recorded) {
      return true;
    }
    String what =
        "rebuilt block " + lost.getBlock() + ": " + differs((int) crc.getValue(), recorded);
    HelperSet helpers =
        helpers(
            stripe,
            stripes.cluster(lost.getBlock().getBlockPoolId(), stripe.nodes()).byUuid(),
            leftOut);
    int before = leftOut.size();
    leftOut.putAll(helpers.wrong(stripe, workers));
    if (leftOut.size() == before) {
      throw new IOException("cannot rebuild " + lost.getBlock() + " of " + path + ": " + what);
    }
    LOG.warn("{}; left out: {}", what, leftOut);
    return false;
  }

  /** Those that answer; who does not is left out for a while. */
  private HelperSet helpers(
      DegradedStripe stripe, Map<String, Datanode> nodes, Map<String, String> leftOut)
      throws IOException {
    return HelperSet.of(stripe, nodes, workers, leftOut, suspects::add);
  }

  static String differs(int crc, int recorded) {
    return String.format("CRC-32C is %08x, recorded is %08x", crc, recorded);
  }

  private Optional<DegradedStripe> stripe(String path, LocatedBlock lost) throws IOException {
    var answer =
        stripes.stripes(
            path, lost.getBlock().getBlockPoolId(), List.of(lost.getBlock().getBlockId()));
    return DegradedStripe.holding(lost.getBlock(), answer);
  }

  @Override
  public void close() {
    workers.close();
  }

  /** Part of a block, tried with ever fewer helpers until it is read. */
  private final class Piece {
    private final String path;
    private final LocatedBlock block;
    private final CellLayout layout;
    private final CellLayout.Part part;
    private final int count;
    private final Map<String, String> leftOut;
    private final ReadCounters counters;
    private DegradedStripe stripe;
    private RepairPlanner planner = settings.planner();
    private int busyTries;
    private boolean starTooLarge;

    Piece(
        String path,
        LocatedBlock block,
        DegradedStripe stripe,
        CellLayout layout,
        CellLayout.Part part,
        Map<String, String> leftOut,
        ReadCounters counters) {
      this.path = path;
      this.block = block;
      this.stripe = stripe;
      this.layout = layout;
      this.part = part;
      this.count = Math.toIntExact(part.bytes());
      this.leftOut = leftOut;
      this.counters = counters;
    }

    byte[] read() throws IOException {
      List<IOException> failures = new ArrayList<>();
      while (true) {
        StripeLookup.Cluster cluster =
            stripes.cluster(block.getBlock().getBlockPoolId(), stripe.nodes());
        Map<String, Datanode> nodes = stripe.among(cluster.byUuid());
        Map<String, String> avoided = suspects.among(nodes.values());
        avoided.putAll(leftOut);
        HelperSet helpers = helpers(stripe, nodes, avoided);
        Optional<HedgedRun.Try> first = attempt(helpers, planner, cluster);
        if (first.isEmpty() && avoided.size() > leftOut.size()) {
          // Slow helpers are better than none.
          helpers = helpers(stripe, nodes, leftOut);
          first = attempt(helpers, planner, cluster);
        }
        if (first.isEmpty()) {
          IOException lost = LostBlock.of(path, block, stripe, helpers);
          failures.forEach(lost::addSuppressed);
          throw lost;
        }
        try {
          return race(first.get(), helpers, cluster);
        } catch (PlanFailedException e) {
          failures.add(e);
          learn(helpers, e);
        }
        // Replicas may have moved, and block tokens have an end.
        DegradedStripe now = DegradedReader.this.stripe(path, block).orElse(stripe);
        if (!now.stripe().id().equals(stripe.stripe().id())) {
          throw new OtherStripeException(block, failures.get(failures.size() - 1));
        }
        stripe = now;
      }
    }

    private byte[] race(HedgedRun.Try first, HelperSet helpers, StripeLookup.Cluster cluster)
        throws IOException {
      HedgedRun runs = new HedgedRun(workers, settings.hedge());
      Map<Integer, String> slow = new LinkedHashMap<>();
      HedgedRun.Won won =
          runs.run(
              first,
              straggler -> {
                Worker worker = helpers.workerOf().get(straggler);
                if (worker != null) {
                  suspects.add(worker.node().uuid());
                }
                slow.put(straggler, SLOW);
                // In a star each helper answers for itself: whoever is slow is known by name.
                RepairPlanner star = RepairPlanners.named(STAR);
                Optional<HedgedRun.Try> other = attempt(helpers.without(slow), star, cluster);
                if (other.isEmpty() && slow.size() > 1) {
                  // Those that were slow before may be less so than the last one.
                  other = attempt(helpers.without(Map.of(straggler, SLOW)), star, cluster);
                }
                other.ifPresent(
                    ignored -> {
                      counters.add(Counter.HEDGES, 1);
                      LOG.info(
                          "{} of {}: no slice from {} for too long, trying without it",
                          block.getBlock(),
                          path,
                          worker == null ? straggler : worker.node().host());
                    });
                return other.orElse(null);
              });
      counters.add(Counter.HEDGES_WON, won.further() ? 1 : 0);
      return won.bytes();
    }

    /** A try that reads with some helpers; empty when they do not determine what is wanted. */
    private Optional<HedgedRun.Try> attempt(
        HelperSet helpers, RepairPlanner shape, StripeLookup.Cluster cluster) {
      int slice = (int) Math.min(layout.slice(settings.slice()), part.length());
      StripeNetwork surroundings =
          StripeNetwork.of(
                  stripe.code().n(),
                  helpers.nodes(),
                  helpers.slowdowns(),
                  cluster.byUuid(),
                  settings.rack().or(cluster::callerRack),
                  new Network.Volume(part.length(), slice))
              .with(settings.rates());
      Optional<Plan> found = helpers.plan(stripe, wanted(), shape, surroundings);
      if (found.isEmpty()) {
        return Optional.empty();
      }
      Plan plan = found.get();
      byte[] result = new byte[count];
      HdfsRun run =
          engine.prepare(
              new HdfsJob(
                  plan,
                  helpers,
                  layout,
                  part.length(),
                  slice,
                  this::source,
                  this::noStore,
                  Optional.of(
                      new LocalNode(
                          surroundings.client(),
                          settings.rack().or(cluster::callerRack).orElse(""),
                          new FragmentRunner(Kernels.whenNeeded(), slice, pool),
                          streams,
                          position -> BlockTokens.decode(stripe.token(position)),
                          target -> new RangeSink(layout, part, target, ByteBuffer.wrap(result)),
                          (from, to, bytes) -> count(surroundings.network(), from, to, bytes)))));
      LOG.debug(
          "{} bytes of {} of {} are rebuilt by {} from blocks {}",
          count,
          block.getBlock(),
          path,
          plan.shape(),
          plan.nodes());
      return Optional.of(
          new HedgedRun.Try(
              run,
              () -> {
                verify(run, run.run());
                return result;
              }));
    }

    private ReadSource source(SubBlock subBlock) {
      int position = subBlock.block();
      return new ReadSource(stripe.block(position), part.offset(), stripe.token(position));
    }

    private StoreTarget noStore(SubBlock target) {
      throw new IllegalStateException("a helper of a degraded read stores " + target);
    }

    private List<SubBlock> wanted() {
      return IntStream.range(part.first(), part.first() + part.count())
          .mapToObj(index -> new SubBlock(stripe.lost(), index))
          .toList();
    }

    private void count(Network network, int from, int to, long bytes) {
      counters.add(Counter.DEGRADED_BYTES_MOVED, bytes);
      if (!network.sameRack(from, to)) {
        counters.add(Counter.DEGRADED_BYTES_CROSS_RACK, bytes);
      }
      if (network.siteOf(from) != network.siteOf(to)) {
        counters.add(Counter.DEGRADED_BYTES_CROSS_SITE, bytes);
      }
    }

    private void verify(HdfsRun run, HdfsResult result) throws PlanFailedException {
      Member recorded = stripe.stripe().member(stripe.lost());
      Integer crc = result.stores().get(stripe.lost());
      if (crc == null || crc == recorded.crc() || !isWhole(stripe.lost())) {
        return;
      }
      Map<Integer, String> wrong = new LinkedHashMap<>();
      run.settled()
          .reads()
          .forEach(
              (position, read) -> {
                int expected = stripe.stripe().member(position).crc();
                if (isWhole(position) && read != expected) {
                  wrong.put(position, differs(read, expected));
                }
              });
      throw new PlanFailedException(
          "rebuilt block " + block.getBlock() + ": " + differs(crc, recorded.crc()),
          null,
          wrong,
          Set.of(),
          Set.of());
    }

    /** Whether this range is all there is of a block, so that its recorded CRC applies. */
    private boolean isWhole(int position) {
      return stripe.code().alpha() == 1
          && part.start() == 0
          && stripe.block(position).length() == count;
    }

    private void learn(HelperSet helpers, PlanFailedException e) throws IOException {
      if (e.culprits().isEmpty() && !e.busy().isEmpty() && ++busyTries <= BUSY_TRIES) {
        pause();
        return;
      }
      Map<Integer, String> out = new LinkedHashMap<>(e.culprits());
      e.busy().forEach(node -> out.putIfAbsent(node, String.valueOf(e.getMessage())));
      out.keySet().retainAll(helpers.workerOf().keySet()); // this process itself may be busy
      boolean tooLarge = e.getCause() instanceof BusyException busy && busy.needed() > busy.limit();
      boolean star = planner.name().equals(STAR);
      if (out.isEmpty() && (star ? !tooLarge || chosen() : starTooLarge)) {
        throw new IOException(
            "cannot rebuild " + block.getBlock() + " of " + path + ": " + e.getMessage(), e);
      }
      out.forEach(
          (node, reason) -> {
            Worker worker = helpers.workerOf().get(node);
            if (worker != null) {
              leftOut.put(worker.node().uuid(), reason);
            }
          });
      LOG.warn(
          "degraded read of {} of {} failed, left out {}, trying again: {}",
          block.getBlock(),
          path,
          out.keySet(),
          e.getMessage());
      starTooLarge |= star && tooLarge;
      // In a star each helper answers for itself: whoever fails next is known by name.
      planner = starTooLarge ? settings.planner() : RepairPlanners.named(STAR);
    }

    /** Whether no other shape was asked for, which may need less memory here. */
    private boolean chosen() {
      return settings.planner().name().equals(STAR);
    }

    /** The workers' memory is taken: nothing tells when it is free again. */
    private void pause() throws IOException {
      try {
        Thread.sleep(BUSY_MILLIS);
      } catch (InterruptedException e) {
        throw Workers.interrupted();
      }
    }
  }
}
