package org.braid.hdfs.namenode.calls;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.apache.hadoop.util.Time;
import org.braid.hdfs.namenode.calls.RemovalCheck.Verdict;
import org.braid.hdfs.namenode.host.AuditLog;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.NameNodeMetrics;
import org.braid.hdfs.namenode.host.NameNodeMetrics.Count;
import org.braid.hdfs.namenode.stripes.StripeIndex;

/**
 * Calls of clients that remove blocks. One waits while a lost block of another file can be rebuilt
 * only with what it removes, and is refused when that takes too long. It also waits until blocks of
 * other files have a second copy of which it would leave one and nothing to rebuild it from; that
 * is not waited for long. What it leaves of stripes is protected afterwards.
 */
public final class SafeRemovals {
  /** So long a call waits at most. */
  static final long WAIT_MILLIS = 50_000;

  /** So long it waits at most for copies of what it leaves. */
  static final long COPY_MILLIS = 20_000;

  private static final long LOOK_MILLIS = 200;

  /** So many calls wait for copies at most; others do not wait. */
  private static final int MOST_WAITING = 64;

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

  /** Gives blocks copies, or takes them back. */
  @FunctionalInterface
  public interface Copies {
    /** Does so for the blocks of these ids. */
    void of(Collection<Long> blocks) throws IOException;
  }

  private final NameNodeMetrics metrics;
  private final NameNodeHost host;
  private final RemovalCheck check;
  private final Rebuilds rebuilds;
  private final AtomicInteger waiting = new AtomicInteger();
  private final CopyRequests copies;
  private final Consumer<Set<String>> thinned;
  private final ScheduledThreadPoolExecutor threads =
      new ScheduledThreadPoolExecutor(
          THREADS,
          task -> {
            Thread thread = new Thread(task, "braid-late-removal");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * Removals from a NameNode.
   *
   * @param more asks for copies of blocks that rely on a stripe
   * @param fewer takes them back, where the stripe lost nothing
   * @param thinned gets the stripes that lost some of their data blocks
   */
  public SafeRemovals(
      NameNodeHost host,
      StripeIndex index,
      Rebuilds rebuilds,
      Copies more,
      Copies fewer,
      Consumer<Set<String>> thinned) {
    this.metrics = host.metrics();
    this.host = host;
    this.check = new RemovalCheck(host, index);
    this.rebuilds = rebuilds;
    this.copies = new CopyRequests(more, fewer);
    this.thinned = thinned;
  }

  /**
   * A removal that was looked at; to be carried out or given up.
   *
   * @param state what stood at the removal's paths when the call came
   * @param copied blocks of which copies were asked for
   * @param patient whether it waits for these
   */
  record Look(
      Removal removal, PathState state, Verdict verdict, Set<Long> copied, boolean patient) {
    boolean goesAtOnce() {
      return verdict.needing().isEmpty() && !waitsForCopies();
    }

    private boolean waitsForCopies() {
      return patient && !verdict.bare().isEmpty();
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
    boolean patient = LateAnswer.toPresentCall().isPresent() && mayWait();
    PathState state = PathState.of(host, removal);
    Look look = copied(removal, state, check.of(removal), Set.of(), patient);
    return look.goesAtOnce() ? look : whole(look);
  }

  /** The same for a caller whose thread may wait for copies. */
  Look lookPatiently(Removal removal) throws IOException {
    long end = Time.monotonicNow() + COPY_MILLIS;
    boolean patient = waiting.incrementAndGet() <= MOST_WAITING;
    try {
      PathState state = PathState.of(host, removal);
      Look look = copied(removal, state, check.of(removal), Set.of(), patient);
      if (look.verdict().needing().isEmpty() && look.waitsForCopies()) {
        look = whole(look);
      }
      while (look.verdict().needing().isEmpty() && look.waitsForCopies()) {
        check.release(look.verdict());
        Thread.sleep(LOOK_MILLIS);
        look = again(look, Time.monotonicNow() < end);
      }
      return look;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("the NameNode is stopping");
    } finally {
      waiting.decrementAndGet();
    }
  }

  /** A look at what is held: what is below a directory is remembered, too. */
  private Look whole(Look look) throws IOException {
    try {
      return new Look(
          look.removal(), look.state().whole(), look.verdict(), look.copied(), look.patient());
    } catch (IOException | RuntimeException e) {
      end(look, false);
      throw e;
    }
  }

  private boolean mayWait() {
    return threads.getQueue().size() + waiting.get() < MOST_WAITING;
  }

  private Look again(Look before, boolean patient) throws IOException {
    Removal removal = before.removal();
    Verdict verdict = check.permitted(removal);
    Look look = copied(removal, before.state(), verdict, before.copied(), patient);
    try {
      // What is below a directory is looked at once, and last.
      if (look.goesAtOnce() ? look.state().isUnchanged() : look.state().leadsToTheSame()) {
        return look;
      }
    } catch (IOException | RuntimeException e) {
      end(look, false);
      throw e;
    }
    end(look, false);
    throw look.state().changed();
  }

  /** Why what was looked at some time ago is not done any more; empty when it may be. */
  Optional<IOException> againstLate(Look look, LateAnswer answer) {
    return answer.isAwaited()
        ? againstLate(look)
        : Optional.of(new IOException("whoever called is gone"));
  }

  private static Optional<IOException> againstLate(Look look) {
    try {
      return look.state().leadsToTheSame() ? Optional.empty() : Optional.of(look.state().changed());
    } catch (IOException e) {
      return Optional.of(e);
    }
  }

  /** Asks for copies of what a removal would leave with one. */
  private Look copied(
      Removal removal, PathState state, Verdict verdict, Set<Long> before, boolean patient)
      throws IOException {
    Set<Long> all;
    try {
      all = copies.ask(verdict.bare(), before);
    } catch (IOException | RuntimeException e) {
      check.release(verdict);
      throw e;
    }
    return new Look(removal, state, verdict, all, patient);
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
    // Also after a removal, from which snapshots may have kept the blocks.
    takeBack(look);
    if (removed && !look.verdict().thinned().isEmpty()) {
      thinned.accept(look.verdict().thinned());
    }
    if (removed && look.verdict().many()) {
      thinned.accept(Set.of());
    }
  }

  private void takeBack(Look look) {
    copies.giveBack(look.copied());
  }

  /**
   * Has the present call answered when what it removes is not needed any more.
   *
   * @throws IOException when nobody rebuilds what is lost
   */
  void later(Look look, Continuation then) throws IOException {
    Optional<LateAnswer> answer = LateAnswer.toPresentCall();
    if (answer.isEmpty() || !wait(new Late(then, answer.get(), Time.monotonicNow()), look)) {
      throw logged(look);
    }
    metrics.count(Count.REMOVALS_HELD);
    answer.get().postpone();
  }

  /** The refusal of the present call, which is in the audit log then. */
  private IOException logged(Look look) {
    IOException refusal = refused(look);
    try {
      new AuditLog(host.namesystem()).refused(look.removal().command(), look.removal().path());
    } catch (IOException e) {
      refusal.addSuppressed(e);
    }
    return refusal;
  }

  /** Refuses what has to wait and cannot, in words; what it needs is asked for. */
  String refuse(Look look) {
    demand(look, () -> {});
    return String.valueOf(refused(look).getMessage());
  }

  private IOException refused(Look look) {
    metrics.count(Count.REMOVALS_REFUSED);
    takeBack(look);
    return look.refusal();
  }

  /** A call that is answered later. */
  private record Late(Continuation then, LateAnswer answer, long begun) {
    boolean waited(long millis) {
      return Time.monotonicNow() - begun >= millis;
    }
  }

  private boolean wait(Late late, Look look) {
    // Those who answer readers must not be kept by a look at many files.
    if (!look.verdict().needing().isEmpty()) {
      return demand(look, () -> threads.execute(() -> again(late, look)));
    }
    check.release(look.verdict());
    ScheduledFuture<?> unused =
        threads.schedule(() -> again(late, look), LOOK_MILLIS, TimeUnit.MILLISECONDS);
    return true;
  }

  private boolean demand(Look look, Runnable then) {
    Set<Long> some = new LinkedHashSet<>(look.verdict().needing().stream().limit(BATCH).toList());
    return rebuilds.await(some, Set.of(), then);
  }

  /** Some blocks were rebuilt or copied, or will not be. */
  private void again(Late late, Look before) {
    try {
      Optional<IOException> against = againstLate(before, late.answer());
      if (against.isPresent()) {
        throw against.get();
      }
      Look look = again(before, before.patient() && !late.waited(COPY_MILLIS));
      if (look.goesAtOnce()) {
        late.then().go(late.answer(), look);
      } else if (late.waited(WAIT_MILLIS) || !wait(late, look)) {
        late.answer()
            .send(
                () -> {
                  throw new ServiceException(logged(look));
                });
      }
    } catch (IOException | RuntimeException e) {
      takeBack(before);
      fail(late.answer(), e);
    }
  }

  private static void fail(LateAnswer answer, Exception failure) {
    answer.send(
        () -> {
          throw new ServiceException(failure);
        });
  }
}
