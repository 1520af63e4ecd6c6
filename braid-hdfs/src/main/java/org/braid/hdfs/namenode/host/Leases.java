package org.braid.hdfs.namenode.host;

import java.io.IOException;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The one lease by which a coordinator may change things: 15 s, renewable, lost when it expires or
 * when the NameNode restarts or fails over. Whoever asks in vain has a place in a queue as long as
 * it goes on asking, so that a holder that gives way cannot overtake whom it gave way to. One that
 * stands by waits for the holder's end, and nobody gives way to it. As long as a change is made
 * under the lease, nobody else gets it: what the change looked at and what it does then are one
 * step for other coordinators.
 */
public final class Leases {
  public static final long MILLIS = 15_000;

  /** Who has not asked for so long has left the queue, unless its calls take longer. */
  public static final long QUEUE_MILLIS = 2000;

  /** What the holders' names of daemons begin with. */
  public static final String DAEMON = "daemon ";

  /** What is kept of what a holder says at most. */
  private static final int LONGEST_PHASE = 60;

  private record Lease(
      String id, String holder, boolean standby, long begun, long expiry, Optional<Begun> doing) {
    Lease until(long end, Optional<Begun> work) {
      return new Lease(id, holder, standby, begun, end, work);
    }
  }

  /** Until when somebody has its place, and whether it only stands by. */
  private record Asked(long until, boolean standby) {}

  /** Work by the clock of this process. */
  private record Begun(String phase, long done, long total, long since) {}

  /**
   * How far the holder is with its work, as it says itself.
   *
   * @param phase what is being done
   * @param total 0: it has no end
   * @param phaseMillis for how long it has been in this phase
   */
  public record Doing(String phase, long done, long total, long phaseMillis) {}

  /**
   * The present lease.
   *
   * @param millis for how long it has been held
   * @param doing empty when the holder has not said so yet
   */
  public record Held(String holder, long millis, Optional<Doing> doing) {}

  /** A change under the lease, from when it was checked to its end. */
  public interface Change extends AutoCloseable {
    @Override
    void close();
  }

  /** What a coordinator is answered: the lease, or who holds it. */
  public record Answer(@Nullable String lease, String holder) {}

  private final LongSupplier clock;
  private final SecureRandom random = new SecureRandom();
  private @Nullable Lease lease;

  /** Changes that are made now, by the lease's id. */
  private final Map<String, Integer> changes = new HashMap<>();

  /** Those that wait, by name, the first first. */
  private final Map<String, Asked> queue = new LinkedHashMap<>();

  /**
   * No lease is given yet.
   *
   * @param clock milliseconds that never run backwards
   */
  public Leases(LongSupplier clock) {
    this.clock = clock;
  }

  /**
   * Gives the lease if it is free or has expired, and nobody else has waited longer.
   *
   * @param standby whether the holder need not give way: one daemon works, others wait for its end
   * @param keepMillis for how long its place is to be kept, 2 to 15 s: whoever asks knows how long
   *     its calls take
   */
  public synchronized Answer acquire(String holder, boolean standby, long keepMillis) {
    long keep = Math.max(QUEUE_MILLIS, Math.min(MILLIS, keepMillis));
    queue.put(holder, new Asked(clock.getAsLong() + keep, standby));
    Lease present = lease;
    if (present != null && valid(present)) {
      return new Answer(null, present.holder);
    }
    // A daemon gave way to a command and not to another daemon.
    boolean gaveWay = present != null && present.standby;
    String first = (gaveWay ? waiting() : Optional.<String>empty()).or(this::next).orElse(holder);
    if (!first.equals(holder)) {
      return new Answer(null, first);
    }
    queue.remove(holder);
    byte[] id = new byte[16];
    random.nextBytes(id);
    long now = clock.getAsLong();
    Lease given =
        new Lease(
            HexFormat.of().formatHex(id), holder, standby, now, now + MILLIS, Optional.empty());
    lease = given;
    return new Answer(given.id, holder);
  }

  /** Who has waited longest of those that the holder is to give way to. */
  public synchronized Optional<String> waiting() {
    return first(asked -> !asked.standby);
  }

  /** Who has waited longest, those that stand by included. */
  public synchronized Optional<String> next() {
    return first(asked -> true);
  }

  private Optional<String> first(Predicate<Asked> which) {
    leave();
    return queue.entrySet().stream()
        .filter(entry -> which.test(entry.getValue()))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  private void leave() {
    queue.values().removeIf(asked -> clock.getAsLong() > asked.until);
  }

  /** How many daemons wait for the end of the holder, or of the command that it gave way to. */
  public synchronized int standingBy() {
    leave();
    return (int) queue.values().stream().filter(Asked::standby).count();
  }

  /** Who holds the lease. */
  public synchronized Optional<String> holder() {
    Lease present = lease;
    return present == null || !valid(present) ? Optional.empty() : Optional.of(present.holder);
  }

  /** The lease, and what its holder does. */
  public synchronized Optional<Held> held() {
    Lease present = lease;
    if (present == null || !valid(present)) {
      return Optional.empty();
    }
    long now = clock.getAsLong();
    return Optional.of(
        new Held(
            present.holder,
            now - present.begun,
            present.doing.map(
                work -> new Doing(work.phase, work.done, work.total, now - work.since))));
  }

  /** Extends a lease; false when it is not held any more. An expired lease stays expired. */
  public synchronized boolean renew(String id) {
    return renew(id, Optional.empty());
  }

  /**
   * The same.
   *
   * @param doing what the holder does; empty when it does not say that, or nothing new
   */
  public synchronized boolean renew(String id, Optional<Doing> doing) {
    Lease present = lease;
    if (present == null || !present.id.equals(id) || !valid(present)) {
      return false;
    }
    long now = clock.getAsLong();
    Optional<Begun> work = doing.map(said -> begun(said, now)).or(() -> present.doing);
    lease = present.until(now + MILLIS, work);
    return true;
  }

  /**
   * Gives a lease back, as soon as its changes have ended; says whether it was held still.
   *
   * @param returns whether the holder only gives way and will ask again: it is the first of those
   *     that stand by, so that daemons do not take turns
   */
  public synchronized boolean release(String id, boolean returns) {
    Lease present = lease;
    if (present == null || !present.id.equals(id)) {
      return false;
    }
    long now = clock.getAsLong();
    lease = present.until(now, Optional.empty());
    if (returns) {
      Map<String, Asked> others = new LinkedHashMap<>(queue);
      queue.clear();
      queue.put(present.holder, new Asked(now + QUEUE_MILLIS, present.standby));
      queue.putAll(others);
    }
    return true;
  }

  private static Begun begun(Doing work, long now) {
    String phase = work.phase.substring(0, Math.min(LONGEST_PHASE, work.phase.length()));
    return new Begun(
        phase,
        Math.max(0, work.done),
        Math.max(0, work.total),
        now - Math.max(0, work.phaseMillis));
  }

  /** Refuses a change by anybody but the holder. */
  public synchronized void check(String id) throws IOException {
    Lease present = lease;
    if (present != null && valid(present) && present.id.equals(id)) {
      return;
    }
    String taken = present != null && valid(present) ? " or was taken by " + present.holder : "";
    throw new IOException(
        "the coordinator's lease has expired" + taken + ": run the command again");
  }

  /**
   * Begins a change by the holder, and refuses one by anybody else. The lease does not expire
   * before it ends.
   */
  public synchronized Change begin(String id) throws IOException {
    check(id);
    changes.merge(id, 1, Integer::sum);
    return () -> end(id);
  }

  private synchronized void end(String id) {
    changes.computeIfPresent(id, (ended, count) -> count == 1 ? null : count - 1);
  }

  private boolean valid(Lease held) {
    return clock.getAsLong() < held.expiry || changes.containsKey(held.id);
  }
}
