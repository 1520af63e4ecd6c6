package org.braid.hdfs.namenode.calls;

import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.apache.hadoop.util.Time;
import org.braid.hdfs.namenode.calls.RemovalCheck.Verdict;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.NameNodeMetrics;
import org.braid.hdfs.namenode.host.NameNodeMetrics.Count;
import org.braid.hdfs.namenode.stripes.StripeIndex;

/**
 * Calls of clients that remove blocks. One waits while a lost block of another file can be rebuilt
 * only with what it removes, and is refused when that takes too long. What it leaves of stripes is
 * protected afterwards.
 */
public final class SafeRemovals {
  /** So long a call waits at most. */
  static final long WAIT_MILLIS = 50_000;

  /** Blocks that are asked for at once. */
  private static final int BATCH = 256;

  private static final int THREADS = 2;

  /** Has lost blocks rebuilt. */
  @FunctionalInterface
  public interface Rebuilds {
    /**
     * Asks for blocks.
     *
     * @param then runs once, when all of the first can be read or the waiting is over
     * @return false when there is nothing to wait for; nothing runs then
     */
    boolean await(Collection<Long> needed, Collection<Long> useful, Runnable then);
  }

  private final NameNodeMetrics metrics;
  private final RemovalCheck check;
  private final Rebuilds rebuilds;
  private final Consumer<Set<String>> thinned;
  private final ExecutorService threads =
      Executors.newFixedThreadPool(
          THREADS,
          task -> {
            Thread thread = new Thread(task, "braid-late-removal");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * Removals from a NameNode.
   *
   * @param thinned gets the stripes that lost some of their data blocks
   */
  public SafeRemovals(
      NameNodeHost host, StripeIndex index, Rebuilds rebuilds, Consumer<Set<String>> thinned) {
    this.metrics = host.metrics();
    this.check = new RemovalCheck(host, index);
    this.rebuilds = rebuilds;
    this.thinned = thinned;
  }

  /** A removal that was looked at; to be carried out or given up. */
  record Look(Removal removal, Verdict verdict) {
    boolean goesAtOnce() {
      return verdict.needing().isEmpty();
    }

    private IOException refusal() {
      return new IOException(
          "%s cannot be removed yet: %d lost blocks of other files, the first blk_%d, can only be rebuilt from blocks of it; try again when braid repair, or the coordinator that watches, has rebuilt them"
              .formatted(
                  removal.described(),
                  verdict.needing().size(),
                  verdict.needing().stream().findFirst().orElse(0L)));
    }
  }

  /** What is done once a removal may be made; it is carried out there, or given up. */
  interface Continuation {
    void go(LateAnswer answer, Look look);
  }

  /** Looks at what the present caller wants to remove. */
  Look look(Removal removal) throws IOException {
    return new Look(removal, check.of(removal));
  }

  /** Makes the call that removes. */
  <T extends Message> T carryOut(Look look, LateAnswer.Stock<T> stock) throws ServiceException {
    boolean removed = false;
    try {
      T answer = stock.call();
      removed = true;
      return answer;
    } finally {
      end(look, removed);
    }
  }

  /** The removal was made, or will not be. */
  void end(Look look, boolean removed) {
    check.release(look.verdict());
    if (removed && (look.verdict().many() || !look.verdict().thinned().isEmpty())) {
      thinned.accept(look.verdict().thinned());
    }
  }

  /**
   * Has the present call answered when what it removes is not needed any more.
   *
   * @throws IOException when nobody rebuilds what is lost
   */
  void later(Look look, Continuation then) throws IOException {
    Optional<LateAnswer> answer = LateAnswer.toPresentCall();
    long end = Time.monotonicNow() + WAIT_MILLIS;
    if (answer.isEmpty() || !wait(look, then, answer.get(), end)) {
      metrics.count(Count.REMOVALS_REFUSED);
      throw look.refusal();
    }
    metrics.count(Count.REMOVALS_HELD);
    answer.get().postpone();
  }

  /** Refuses what has to wait and cannot, in words; what it needs is asked for. */
  String refuse(Look look) {
    demand(look, () -> {});
    metrics.count(Count.REMOVALS_REFUSED);
    return String.valueOf(look.refusal().getMessage());
  }

  private boolean wait(Look look, Continuation then, LateAnswer answer, long end) {
    // Those who answer readers must not be kept by a look at many files.
    return demand(look, () -> threads.execute(() -> again(look, then, answer, end)));
  }

  private boolean demand(Look look, Runnable then) {
    Set<Long> some = new LinkedHashSet<>(look.verdict().needing().stream().limit(BATCH).toList());
    return rebuilds.await(some, Set.of(), then);
  }

  /** Some blocks were rebuilt, or will not be. */
  private void again(Look before, Continuation then, LateAnswer answer, long end) {
    try {
      Look look = new Look(before.removal(), check.permitted(before.removal()));
      if (look.goesAtOnce()) {
        then.go(answer, look);
      } else if (Time.monotonicNow() >= end || !wait(look, then, answer, end)) {
        metrics.count(Count.REMOVALS_REFUSED);
        fail(answer, look.refusal());
      }
    } catch (IOException | RuntimeException e) {
      fail(answer, e);
    }
  }

  private static void fail(LateAnswer answer, Exception failure) {
    answer.send(
        () -> {
          throw new ServiceException(failure);
        });
  }
}
