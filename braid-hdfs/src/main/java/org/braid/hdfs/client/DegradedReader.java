package org.braid.hdfs.client;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.braid.code.Equation;
import org.braid.code.SubBlock;
import org.braid.engine.BufferPool;
import org.braid.engine.FragmentRunner;
import org.braid.engine.Outcome;
import org.braid.hdfs.client.Workers.Worker;
import org.braid.hdfs.proto.BraidProtos.MemberProto;
import org.braid.kernel.Kernels;
import org.braid.plan.Plan;
import org.braid.plan.RepairPlanner;
import org.braid.plan.RepairPlanners;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads ranges of lost blocks: plans a repair whose root is the client (PPR section 4.3) and runs
 * it with the other blocks of the stripe. Only the range asked for is read and moved.
 *
 * <p>The blocks that helpers read are verified against HDFS's checksums, every hop against a
 * CRC-32C of its own. A whole block is also compared with the CRC-32C recorded when it was encoded;
 * of a part of a block no such record exists. Thread-safe.
 */
final class DegradedReader implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(DegradedReader.class);
  private static final String STAR = "star";
  private static final int BUSY_TRIES = 40;
  private static final long BUSY_MILLIS = 250;

  private final NameNodeCalls nameNode;
  private final Workers workers;
  private final DegradedRun.Streams streams;
  private final ClientSettings settings;
  private final BufferPool pool;

  DegradedReader(
      NameNodeCalls nameNode,
      Workers workers,
      DegradedRun.Streams streams,
      ClientSettings settings) {
    this.nameNode = nameNode;
    this.workers = workers;
    this.streams = streams;
    this.settings = settings;
    this.pool = new BufferPool(settings.memory());
  }

  /**
   * Rebuilds a range of a block that cannot be read.
   *
   * @param path the file, which the reader may read
   * @param lost the block
   * @param offset where the range starts in the block
   * @param into takes the range, as many bytes as remain in it, within the block
   * @return false when the block is in no stripe, so that nothing can be done; the buffer is as it
   *     was then
   * @throws BlockMissingException when too few blocks of the stripe can be reached
   */
  boolean read(String path, LocatedBlock lost, long offset, ByteBuffer into) throws IOException {
    Optional<Stripe> found = stripe(path, lost);
    if (found.isEmpty()) {
      return false;
    }
    Stripe stripe = found.get();
    long subBlock = stripe.subBlockLength();
    ByteBuffer rest = into.duplicate();
    while (rest.hasRemaining()) {
      long at = offset + rest.position() - into.position();
      int index = (int) (at / subBlock);
      long start = at - index * subBlock;
      int count = (int) Math.min(rest.remaining(), subBlock - start);
      ByteBuffer piece = rest.slice(rest.position(), count);
      new Piece(path, lost, stripe, new SubBlock(stripe.lost(), index), start, piece).read();
      rest.position(rest.position() + count);
    }
    into.position(into.limit());
    return true;
  }

  private Optional<Stripe> stripe(String path, LocatedBlock lost) throws IOException {
    var answer = nameNode.stripes(path, List.of(lost.getBlock().getBlockId()));
    return Stripe.holding(lost.getBlock(), answer.getStripesList()).stream().findFirst();
  }

  @Override
  public void close() {
    workers.close();
  }

  /** A range within one sub-block, tried with ever fewer helpers until it is read. */
  private final class Piece {
    private final String path;
    private final LocatedBlock block;
    private final SubBlock wanted;
    private final long start;
    private final ByteBuffer into;
    private final Map<String, String> leftOut = new LinkedHashMap<>();
    private Stripe stripe;
    private RepairPlanner planner = settings.planner();
    private int busyTries;

    Piece(
        String path,
        LocatedBlock block,
        Stripe stripe,
        SubBlock wanted,
        long start,
        ByteBuffer into) {
      this.path = path;
      this.block = block;
      this.stripe = stripe;
      this.wanted = wanted;
      this.start = start;
      this.into = into;
    }

    void read() throws IOException {
      List<IOException> failures = new ArrayList<>();
      while (true) {
        Helpers helpers = Helpers.of(stripe, nameNode.nodes(), workers, leftOut);
        Optional<Equation> equation = helpers.equation(stripe, wanted);
        if (equation.isEmpty()) {
          IOException lost = lost(helpers);
          failures.forEach(lost::addSuppressed);
          throw lost;
        }
        try {
          attempt(helpers, equation.get());
          return;
        } catch (HelperException e) {
          failures.add(e);
          learn(helpers, e);
        }
        // Replicas may have moved, and block tokens have an end.
        stripe = DegradedReader.this.stripe(path, block).orElse(stripe);
      }
    }

    private void attempt(Helpers helpers, Equation equation) throws HelperException {
      IntUnaryOperator nodeOf = i -> stripe.virtual(i) ? -1 : i;
      Plan plan = planner.plan(List.of(equation), nodeOf, stripe.code().n());
      ByteBuffer result = into.duplicate();
      DegradedRun run =
          new DegradedRun(plan, stripe, helpers.workerOf(), start, result, workers, streams);
      int slice = Math.max(1, Math.min(settings.slice(), into.remaining()));
      Outcome outcome = run.run(new FragmentRunner(Kernels.active(), slice, pool), slice);
      verify(run, outcome);
      LOG.debug(
          "{} bytes of {} of {} rebuilt by {} from blocks {}",
          into.remaining(),
          block.getBlock(),
          path,
          planner.name(),
          plan.nodes());
    }

    private void verify(DegradedRun run, Outcome outcome) throws HelperException {
      MemberProto recorded = stripe.proto().getMembers(stripe.lost());
      Integer crc = outcome.storeCrcs().get(wanted);
      if (crc == null || crc == recorded.getCrc32C() || !isWhole(stripe.lost())) {
        return;
      }
      Map<Integer, String> wrong = new LinkedHashMap<>();
      run.readCrcs()
          .forEach(
              (source, read) -> {
                int expected = stripe.proto().getMembers(source.block()).getCrc32C();
                if (isWhole(source.block()) && read != expected) {
                  wrong.put(source.block(), differs(read, expected));
                }
              });
      throw new HelperException(
          wrong,
          java.util.Set.of(),
          new IOException(
              "rebuilt block " + block.getBlock() + ": " + differs(crc, recorded.getCrc32C())));
    }

    /** Whether this range is all there is of a block, so that its recorded CRC applies. */
    private boolean isWhole(int position) {
      return stripe.code().alpha() == 1
          && start == 0
          && stripe.block(position).getLength() == into.remaining();
    }

    private String differs(int crc, int recorded) {
      return String.format("CRC-32C is %08x, recorded is %08x", crc, recorded);
    }

    private void learn(Helpers helpers, HelperException e) throws IOException {
      if (e.culprits().isEmpty() && !e.busy().isEmpty() && ++busyTries <= BUSY_TRIES) {
        pause();
        return;
      }
      Map<Integer, String> out = new LinkedHashMap<>(e.culprits());
      e.busy().forEach(node -> out.putIfAbsent(node, String.valueOf(e.getMessage())));
      if (out.isEmpty() && planner.name().equals(STAR)) {
        throw new IOException(
            "cannot rebuild " + block.getBlock() + " of " + path + ": " + e.getMessage(), e);
      }
      out.forEach(
          (node, reason) -> {
            Worker worker = helpers.workerOf().get(node);
            if (worker != null) {
              leftOut.put(worker.node().getUuid(), reason);
            }
          });
      LOG.warn(
          "degraded read of {} of {} failed, left out {}, trying again: {}",
          block.getBlock(),
          path,
          out.keySet(),
          e.getMessage());
      // In a star each helper answers for itself: whoever fails next is known by name.
      planner = RepairPlanners.named(STAR);
    }

    /** The workers' memory is taken: nothing tells when it is free again. */
    private void pause() throws IOException {
      try {
        Thread.sleep(BUSY_MILLIS);
      } catch (InterruptedException e) {
        throw Workers.interrupted();
      }
    }

    private IOException lost(Helpers helpers) {
      StringBuilder unreachable = new StringBuilder();
      helpers
          .unreachable()
          .forEach(
              (position, reason) ->
                  unreachable
                      .append(unreachable.isEmpty() ? "" : ", ")
                      .append("block ")
                      .append(position)
                      .append(' ')
                      .append(reason));
      String message =
          String.format(
              "block %s of %s is lost and cannot be rebuilt: %d of its stripe's %d blocks are"
                  + " reachable, %d needed%s; unreachable: %s",
              block.getBlock().getBlockName(),
              path,
              helpers.order().size(),
              stripe.code().n(),
              stripe.code().k(),
              helpers.order().size() < stripe.code().k() ? "" : " that together determine it",
              unreachable);
      return new BlockMissingException(path, message, block.getStartOffset());
    }
  }
}
