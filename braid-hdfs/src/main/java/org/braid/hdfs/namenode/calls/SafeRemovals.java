package org.braid.hdfs.namenode.calls;

import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.apache.hadoop.util.Time;
import org.braid.hdfs.namenode.calls.RemovalCheck.Verdict;
import org.braid.hdfs.namenode.host.NameNodeHost;
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
  private static final int BATCH = 32;

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

  private final RemovalCheck check;
  private final Rebuilds rebuilds;
  private final Consumer<Set<String>> thinned;

  /**
   * Removals from a NameNode.
   *
   * @param thinned gets the stripes that lost some of their data blocks
   */
  public SafeRemovals(
      NameNodeHost host, StripeIndex index, Rebuilds rebuilds, Consumer<Set<String>> thinned) {
    this.check = new RemovalCheck(host, index);
    this.rebuilds = rebuilds;
    this.thinned = thinned;
  }

  /**
   * Looks at what the present caller wants to remove.
   *
   * @return what to do when it was removed; empty when that has to wait
   */
  Optional<Runnable> atOnce(Removal removal) throws IOException {
    Verdict found = check.of(removal);
    return found.needing().isEmpty() ? Optional.of(() -> removed(found)) : Optional.empty();
  }

  /**
   * Makes a call that has to wait, and answers it then.
   *
   * @param stock the call, which has to be in the edit log when it returns
   * @throws IOException when nobody rebuilds what is lost
   */
  <T extends Message> void later(Removal removal, LateAnswer.Stock<T> stock) throws IOException {
    Verdict found = check.permitted(removal);
    Optional<LateAnswer> answer = LateAnswer.toPresentCall();
    long end = Time.monotonicNow() + WAIT_MILLIS;
    if (answer.isEmpty() || !wait(removal, found, stock, answer.get(), end)) {
      throw new IOException(refusal(removal, found));
    }
    answer.get().postpone();
  }

  /** Refuses what has to wait and cannot; what it needs is asked for. */
  String refuse(Removal removal) throws IOException {
    Verdict found = check.permitted(removal);
    demand(found, () -> {});
    return refusal(removal, found);
  }

  private <T extends Message> boolean wait(
      Removal removal, Verdict found, LateAnswer.Stock<T> stock, LateAnswer answer, long end) {
    return demand(found, () -> again(removal, stock, answer, end));
  }

  private boolean demand(Verdict found, Runnable then) {
    Set<Long> some = new LinkedHashSet<>(found.needing().stream().limit(BATCH).toList());
    return rebuilds.await(some, Set.of(), then);
  }

  /** Some blocks were rebuilt, or will not be. */
  private <T extends Message> void again(
      Removal removal, LateAnswer.Stock<T> stock, LateAnswer answer, long end) {
    Verdict found;
    try {
      found = check.permitted(removal);
    } catch (IOException | RuntimeException e) {
      answer.send(
          () -> {
            throw new ServiceException(e);
          });
      return;
    }
    boolean waits =
        !found.needing().isEmpty()
            && Time.monotonicNow() < end
            && wait(removal, found, stock, answer, end);
    if (!waits) {
      answer.send(
          () -> {
            if (!found.needing().isEmpty()) {
              throw new ServiceException(new IOException(refusal(removal, found)));
            }
            T done = stock.call();
            removed(found);
            return done;
          });
    }
  }

  private void removed(Verdict found) {
    if (!found.thinned().isEmpty()) {
      thinned.accept(found.thinned());
    }
  }

  private static String refusal(Removal removal, Verdict found) {
    long first = found.needing().stream().findFirst().orElse(0L);
    return "%s cannot be removed yet: %d lost blocks of other files, the first blk_%d, can only be rebuilt from blocks of it; try again when braid repair, or the coordinator that watches, has rebuilt them"
        .formatted(removal.described(), found.needing().size(), first);
  }
}
