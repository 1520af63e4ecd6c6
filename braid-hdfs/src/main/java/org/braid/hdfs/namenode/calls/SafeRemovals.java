package org.braid.hdfs.namenode.calls;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.apache.hadoop.util.Time;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.fault.Faults;
import org.braid.hdfs.namenode.host.AuditLog;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.NameNodeMetrics;
import org.braid.hdfs.namenode.host.NameNodeMetrics.Count;
import org.braid.hdfs.namenode.host.Shares;
import org.braid.hdfs.namenode.moves.DropsBeside;
import org.braid.hdfs.namenode.moves.MovesBeside;
import org.braid.hdfs.namenode.moves.RealPaths;
import org.braid.hdfs.namenode.stripes.StripeIndex;
import org.braid.hdfs.namenode.stripes.Trimmer;
import org.braid.thread.DaemonThreads;
import org.braid.thread.Turn;

/**
 * Guards clients' calls that remove blocks. A call waits while a lost block of another file can be
 * rebuilt only from the removed blocks, and is refused after a time-out. It also waits, for a
 * shorter time, for second replicas of blocks of other files that it would leave with one replica
 * and no stripe to rebuild it from. Afterwards the remaining blocks of the stripes get more
 * replicas.
 */
public final class SafeRemovals {
  /** Maximum wait of a call. */
  static final long WAIT_MILLIS = 50_000;

  /** Maximum wait of a call for replicas of blocks that it leaves. */
  static final long COPY_MILLIS = 20_000;

  private static final long LOOK_MILLIS = 200;

  /** Maximum wait of removals for moves at their paths, and of moves for removals. */
  static final long MOVE_MILLIS = 10_000;

  /** So many calls wait for copies at most; others do not wait. */
  private static final int MOST_WAITING = 256;

  /** Maximum number of waiting calls of one user. */
  static final int MOST_OF_A_USER = MOST_WAITING / 4;

  /** So many hold a thread meanwhile, or wait for a look that takes one for seconds. */
  private static final int MOST_WITH_THREAD = 64;

  /** So many of one user. */
  private static final int MOST_OF_A_USER_WITH_THREAD = MOST_WITH_THREAD / 4;

  /** Blocks that are asked for at once. */
  private static final int BATCH = 256;

  /** Requests repairs of lost blocks. */
  public interface Rebuilds {
    /**
     * Requests the repair of blocks.
     *
     * @param user user whose call waits
     * @param needed blocks that the call waits for
     * @param useful further blocks to repair
     * @param then runs once, when all needed blocks are readable or the wait is over
     * @return false when no repair can be expected, or the user already waits for too many blocks;
     *     {@code then} does not run in this case
     */
    boolean await(String user, Collection<Long> needed, Collection<Long> useful, Runnable then);

    /** Requests the repair of blocks for a user, without a waiting call. */
    void ask(String user, Collection<Long> needed);
  }

  /** Requests extra replicas. */
  @FunctionalInterface
  public interface Copies {
    /** Requests extra replicas of these blocks. */
    void of(Collection<Long> blocks) throws IOException;
  }

  /** Drops extra replicas. */
  @FunctionalInterface
  public interface FewerCopies {
    /**
     * Drops the extra replicas of these blocks.
     *
     * @param drops the fence to hold and check while replicas of a stripe's blocks are dropped, by
     *     the stripe's id
     * @return the blocks that must be retried later
     */
    Collection<Long> of(Collection<Long> blocks, Function<String, Trimmer.Fence> drops)
        throws IOException;
  }

  /** Kinds of checks by their duration. */
  enum Kind {
    /** A check of milliseconds. */
    SMALL(2, "braid-late-removal"),
    /** A scan of a large directory or file. */
    LARGE(2, "braid-late-tree"),
    /** A scan of all stripes. */
    SNAPSHOT(1, "braid-late-snapshot");

    private final int threads;
    private final String title;

    Kind(int threads, String title) {
      this.threads = threads;
      this.title = title;
    }
  }

  /**
   * The threads that check removals again, one pool for each kind, so that fast checks do not wait
   * for slow ones.
   */
  static final class LateThreads {
    private final Map<Kind, ScheduledThreadPoolExecutor> pools = new EnumMap<>(Kind.class);

    LateThreads() {
      for (Kind kind : Kind.values()) {
        pools.put(kind, DaemonThreads.scheduled(kind.threads, kind.title));
      }
    }

    ScheduledThreadPoolExecutor of(Kind kind) {
      return Objects.requireNonNull(pools.get(kind));
    }
  }

  private final NameNodeMetrics metrics;
  private final NameNodeHost host;
  private final StripeIndex index;
  private final Rebuilds rebuilds;
  private final Shares waiting = new Shares(MOST_WAITING, MOST_OF_A_USER);
  private final Shares withThread = new Shares(MOST_WITH_THREAD, MOST_OF_A_USER_WITH_THREAD);

  /** Those whose first look takes seconds, and has not begun. */
  private final Shares unseen = new Shares(MOST_WITH_THREAD, MOST_OF_A_USER_WITH_THREAD);

  private final RealPaths paths;
  private final MovesBeside moves = new MovesBeside(MOVE_MILLIS);
  private final PendingRemoval.Shared shared;
  private final LateThreads threads = new LateThreads();

  /**
   * Guards the removals of a NameNode.
   *
   * @param more requests extra replicas of blocks that rely on a stripe
   * @param fewer drops them, where the stripe lost no block
   * @param thinned gets the stripes that lost some of their data blocks
   */
  public SafeRemovals(
      NameNodeHost host,
      StripeIndex index,
      Rebuilds rebuilds,
      Copies more,
      FewerCopies fewer,
      Consumer<Set<String>> thinned) {
    this.metrics = host.metrics();
    this.host = host;
    this.index = index;
    this.rebuilds = rebuilds;
    this.paths = new RealPaths(host);
    CopyRequests copies =
        new CopyRequests(
            more,
            blocks -> fewer.of(blocks, this::dropsAtOnce),
            task -> {
              var unused =
                  threads.of(Kind.SMALL).schedule(task, LOOK_MILLIS, TimeUnit.MILLISECONDS);
            });
    this.shared =
        new PendingRemoval.Shared(new RemovalCheck(host, index), copies, paths, moves, thinned);
  }

  /** Runs when a removal is permitted; makes the removal, or gives it up. */
  interface Continuation {
    void go(LateAnswer answer, PendingRemoval removal);
  }

  /** Checks a removal that the present caller asks for. */
  PendingRemoval look(Removal removal) throws IOException {
    boolean late = LateAnswer.toPresentCall().isPresent();
    PendingRemoval pending = pending(removal, waiting, late);
    boolean looked = false;
    try {
      if (late) {
        pending.lookQuickly();
      } else {
        pending.look();
      }
      pending.hold();
      if (!pending.goesAtOnce()) {
        pending.remember();
      }
      looked = true;
      return pending;
    } catch (AccessControlException e) {
      throw logged(removal, e);
    } finally {
      if (!looked) {
        pending.close();
      }
    }
  }

  private PendingRemoval pending(Removal removal, Shares places, boolean mayWait)
      throws IOException {
    String user = NameNode.getRemoteUser().getShortUserName();
    return new PendingRemoval(
        shared, removal, PathState.of(host, removal), new WaitingPlace(places, user, mayWait));
  }

  /** Checks a removal for a caller whose thread may wait for replicas. */
  PendingRemoval lookPatiently(Removal removal) throws IOException {
    long end = Time.monotonicNow() + COPY_MILLIS;
    try {
      PendingRemoval pending = pending(removal, withThread, true);
      boolean looked = false;
      try {
        pending.look();
        pending.hold();
        if (pending.waitsForCopiesOnly()) {
          pending.remember();
        }
        while (pending.waitsForCopiesOnly()) {
          pending.pause();
          Thread.sleep(LOOK_MILLIS);
          pending.lookAgain(Time.monotonicNow() < end);
          pending.hold();
        }
        looked = true;
        return pending;
      } finally {
        if (!looked) {
          pending.close();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("the NameNode is stopping");
    }
  }

  /**
   * Begins a call that changes the path of files. Removals at these paths either finish before it,
   * or check again.
   *
   * @throws IOException when a removal takes too long
   */
  MovesBeside.Move move(List<String> from, String to) throws IOException {
    List<String> all = new ArrayList<>(from);
    all.add(to);
    int last = from.size();
    return paths.tell(all, places -> moves.move(places.subList(0, last), places.get(last)));
  }

  /**
   * A fence for dropping replicas of a stripe's blocks: removals of the stripe's files either
   * finish before it, or check again.
   *
   * @param fence additional check under the lock
   */
  public Trimmer.Fence drops(String stripe, Trimmer.Fence fence) {
    return new DropsBeside(host, index, moves, stripe, fence);
  }

  /** The same fence, which refuses at once while such removals are being made. */
  public Trimmer.Fence dropsAtOnce(String stripe) {
    return DropsBeside.atOnce(host, index, moves, stripe);
  }

  /** Makes a removal. */
  <T extends Message> T carryOut(PendingRemoval removal, LateAnswer.Stock<T> stock)
      throws ServiceException {
    try (removal) {
      removal.carries();
      Faults.reach(FaultStep.NAMENODE_REMOVE, removal.removal().path());
      removal.requireSameTerm();
      T answer = stock.call();
      removal.made();
      return answer;
    } catch (IOException e) {
      throw new ServiceException(e);
    }
  }

  /**
   * Answers the present call later, when its blocks are no longer needed.
   *
   * @throws IOException when the call cannot wait: no coordinator repairs the lost blocks, no place
   *     is free, or the call is no RPC
   */
  void later(PendingRemoval removal, Continuation then) throws IOException {
    Optional<LateAnswer> answer = LateAnswer.toPresentCall();
    boolean waits = false;
    try {
      waits =
          answer.isPresent() && wait(new Late(then, answer.get(), Time.monotonicNow()), removal);
    } finally {
      if (!waits) {
        removal.close();
      }
    }
    if (!waits) {
      throw logged(removal);
    }
    metrics.count(Count.REMOVALS_HELD);
    answer.get().postpone();
  }

  /** The refusal of the present call, which is in the audit log then. */
  private IOException logged(PendingRemoval removal) {
    return logged(removal.removal(), refused(removal));
  }

  /** Records the refusal of the present call in the audit log. */
  <T extends Exception> T logged(Removal removal, T refusal) {
    try {
      new AuditLog(host).refused(removal.command(), removal.path());
    } catch (IOException e) {
      refusal.addSuppressed(e);
    }
    return refusal;
  }

  /**
   * The message that refuses a call that would have to wait but cannot. Requests the repair of the
   * blocks that it needs.
   */
  String refuse(PendingRemoval removal) {
    rebuilds.ask(removal.user(), some(removal));
    return String.valueOf(refused(removal).getMessage());
  }

  private IOException refused(PendingRemoval removal) {
    metrics.count(Count.REMOVALS_REFUSED);
    removal.close();
    return removal.refusal();
  }

  /** A call that is answered later. */
  private record Late(Continuation then, LateAnswer answer, long begun) {
    boolean waited(long millis) {
      return Time.monotonicNow() - begun >= millis;
    }
  }

  private boolean wait(Late late, PendingRemoval removal) {
    ScheduledThreadPoolExecutor thread = threads.of(removal.kind());
    // Those who answer readers must not be kept by a look at many files.
    if (!removal.needing().isEmpty()) {
      return demand(
          removal,
          () -> {
            removal.pause();
            thread.execute(() -> again(late, removal));
          });
    }
    if (removal.isSeen()) {
      removal.pause();
      ScheduledFuture<?> unused =
          thread.schedule(() -> again(late, removal), LOOK_MILLIS, TimeUnit.MILLISECONDS);
      return true;
    }
    if (!unseen.take(removal.user())) {
      return false;
    }
    removal.pause();
    thread.execute(
        () -> {
          unseen.giveBack(removal.user());
          again(late, removal);
        });
    return true;
  }

  private boolean demand(PendingRemoval removal, Runnable then) {
    return rebuilds.await(removal.user(), some(removal), Set.of(), then);
  }

  private static Set<Long> some(PendingRemoval removal) {
    return new LinkedHashSet<>(removal.needing().stream().limit(BATCH).toList());
  }

  /** Some blocks were rebuilt or copied, or will not be. */
  private void again(Late late, PendingRemoval removal) {
    Turn.take(
        () -> lookAgain(late, removal),
        e -> {
          removal.close();
          fail(late.answer(), removal.removal(), e);
        });
  }

  private void lookAgain(Late late, PendingRemoval removal) throws IOException {
    if (!late.answer().isAwaited()) {
      throw new IOException("whoever called is gone");
    }
    if (late.answer().isRemembered(host.namesystem())) {
      late.then().go(late.answer(), removal); // it removes nothing any more
      return;
    }
    removal.lookAgain(!late.waited(COPY_MILLIS));
    removal.holdAgain(!late.waited(COPY_MILLIS));
    if (removal.goesAtOnce()) {
      late.then().go(late.answer(), removal);
    } else if (late.waited(WAIT_MILLIS) || !wait(late, removal)) {
      removal.close();
      late.answer()
          .send(
              () -> {
                throw new ServiceException(logged(removal));
              });
    }
  }

  /** Answers a held call that is not made. */
  void fail(LateAnswer answer, Removal removal, Exception failure) {
    answer.send(
        () -> {
          throw new ServiceException(logged(removal, failure));
        });
  }
}
