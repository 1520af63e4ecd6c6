package org.braid.hdfs.namenode.lease;

import java.io.IOException;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The leases under which coordinators change stripes. A lease lasts 15 s, is renewable, and ends
 * when it expires or when the NameNode restarts or fails over. Two leases may be valid at the same
 * time if their scopes do not overlap; a daemon's scope is the whole cluster. A coordinator that is
 * refused keeps a place in a queue while it keeps asking, so that a holder that gives way cannot
 * overtake the coordinator that it gave way to. A daemon on standby waits for the end of all
 * leases, and no holder gives way to it. While a change is made under a lease, no other lease is
 * granted for its scope: to other coordinators, the check and the change are one step.
 *
 * <p>The oldest lease leads: its holder rebuilds the blocks that readers wait for and the lost
 * blocks outside of its scope. A stripe that belongs to several scopes is claimed before it is
 * changed.
 */
public final class Leases {
  public static final long MILLIS = 15_000;

  /** Time without a request after which a coordinator with short calls leaves the queue. */
  public static final long QUEUE_MILLIS = 2000;

  /** Wait without a lease of any daemon after which a waiting daemon goes before newer commands. */
  static final long STARVED_MILLIS = 3_600_000;

  /** Time for which such a daemon then gives way to no command. */
  static final long SLICE_MILLIS = 60_000;

  /** Prefix of the holder names of daemons. */
  public static final String DAEMON = "daemon ";

  /** What is kept of what a holder says at most. */
  private static final int LONGEST_PHASE = 60;

  /** What is kept of a holder's name at most. */
  private static final int LONGEST_HOLDER = 300;

  /** Leases at once, and as many that wait for one. */
  private static final int MOST = 1000;

  /** The expiry of a lease that somebody knows to be over. */
  private static final long SEEN_TO_END = Long.MIN_VALUE;

  private record Lease(
      String id,
      String holder,
      boolean standby,
      LeaseScope scope,
      long begun,
      long keepsUntil,
      boolean resigned,
      long expiry,
      Optional<Begun> doing) {
    Lease until(long end, Optional<Begun> work) {
      return new Lease(id, holder, standby, scope, begun, keepsUntil, resigned, end, work);
    }

    Lease withoutLead() {
      return new Lease(id, holder, standby, scope, begun, keepsUntil, true, expiry, doing);
    }
  }

  /** Since and until when somebody has its place, and whether it only stands by. */
  private record Asked(long since, long until, boolean standby, LeaseScope scope) {}

  /** Work by the clock of this process. */
  private record Begun(String phase, long done, long total, long since) {}

  /**
   * The progress of a holder's work, as the holder reports it.
   *
   * @param phase current phase
   * @param total units of work; 0 for endless work
   * @param phaseMillis milliseconds since the beginning of the phase
   */
  public record Doing(String phase, long done, long total, long phaseMillis) {}

  /**
   * A valid lease.
   *
   * @param millis age of the lease
   * @param doing empty until the holder reports its progress
   */
  public record Held(String holder, long millis, Optional<Doing> doing) {}

  /** A change under a lease, from its check to its end. */
  public interface Change extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * The granted lease, or after a refusal the holder or the coordinator in the queue that comes
   * first.
   */
  public record Answer(@Nullable String lease, String holder) {}

  /** Standing of a lease; the oldest that has not resigned leads, {@code held} are valid. */
  public record Standing(boolean leads, int held) {}

  private final LongSupplier clock;
  private final LongSupplier eras;
  private final SecureRandom random = new SecureRandom();

  /** Those that are held, or were until they expired, the first first. */
  private final Map<String, Lease> leases = new LinkedHashMap<>();

  /** Whether the last one that ended was a daemon's. */
  private boolean daemonEnded;

  /** When a daemon had a lease last. */
  private long daemonUntil = Long.MIN_VALUE;

  private final LeaseClaims claims;

  /** Changes that are made now, by the lease's id. */
  private final Map<String, Integer> changes = new HashMap<>();

  /** Those that wait, by name, the first first. */
  private final Map<String, Asked> queue = new LinkedHashMap<>();

  /** The time in office in which all of them were given, and asked for. */
  private long era;

  /**
   * Starts without leases.
   *
   * @param clock milliseconds that never run backwards
   * @param eras number of the present term of this NameNode, which changes at each transition to
   *     active or standby
   */
  public Leases(LongSupplier clock, LongSupplier eras) {
    this.clock = clock;
    this.eras = eras;
    this.claims = new LeaseClaims(clock);
    this.era = eras.getAsLong();
  }

  /**
   * Forgets all that was given and asked for in another time in office. Whoever held a lease then
   * does not know what others did under those of the other NameNode.
   */
  private void turn() {
    long now = eras.getAsLong();
    if (now != era) {
      era = now;
      leases.clear();
      claims.clear();
      queue.clear();
      daemonEnded = false;
    }
  }

  /** Number of the present term of this NameNode. */
  public long era() {
    return eras.getAsLong();
  }

  /**
   * Grants a lease if no valid lease overlaps its scope, and no other coordinator has waited longer
   * for a part of it.
   *
   * @param name name of the holder, which is shortened if it is long
   * @param standby whether holders need not give way to it: one daemon works, others wait
   * @param keepMillis time to keep its place in the queue, 2 to 15 s, longer than its calls take
   */
  public synchronized Answer acquire(
      String name, boolean standby, long keepMillis, LeaseScope scope) {
    turn();
    String holder = name.substring(0, Math.min(LONGEST_HOLDER, name.length()));
    long keep = Math.max(QUEUE_MILLIS, Math.min(MILLIS, keepMillis));
    long now = clock.getAsLong();
    leave();
    Asked before = queue.get(holder);
    if (before == null && queue.size() >= MOST) {
      return new Answer(null, queue.keySet().iterator().next());
    }
    long since = before == null ? now : before.since;
    Asked asked = new Asked(since, now + keep, standby, scope);
    queue.put(holder, asked);
    expire();
    for (Lease held : leases.values()) {
      if (held.scope.overlaps(scope)) {
        return new Answer(null, held.holder);
      }
    }
    if (leases.size() >= MOST) {
      return new Answer(null, leases.values().iterator().next().holder);
    }
    String first = first(scope).orElse(holder);
    if (!first.equals(holder)) {
      return new Answer(null, first);
    }
    queue.remove(holder);
    byte[] id = new byte[16];
    random.nextBytes(id);
    boolean starved = isStarved(asked);
    Lease given =
        new Lease(
            HexFormat.of().formatHex(id),
            holder,
            standby,
            scope,
            now,
            starved ? now + SLICE_MILLIS : now,
            false,
            now + MILLIS,
            Optional.empty());
    leases.put(given.id, given);
    return new Answer(given.id, holder);
  }

  /**
   * Who comes first of those that ask for a part of a scope. Daemons do not keep a command from
   * working beside others, until one has waited for an hour; and one gave way to a command and not
   * to another daemon.
   */
  private Optional<String> first(LeaseScope scope) {
    boolean starved = queue.values().stream().anyMatch(this::isStarved);
    boolean commandsFirst = !starved && (daemonEnded || !leases.isEmpty());
    Optional<String> command = first(asked -> !asked.standby && asked.scope.overlaps(scope));
    return commandsFirst && command.isPresent()
        ? command
        : first(asked -> asked.scope.overlaps(scope));
  }

  /** Whether no daemon has had a turn for as long as this one waits, which is too long. */
  private boolean isStarved(Asked asked) {
    long since = Math.max(asked.since, daemonUntil);
    return asked.standby && clock.getAsLong() - since >= STARVED_MILLIS;
  }

  private void expire() {
    for (Lease held : List.copyOf(leases.values())) {
      if (!valid(held)) {
        end(held);
      } else if (clock.getAsLong() >= held.expiry) {
        leases.put(held.id, held.until(SEEN_TO_END, held.doing)); // with its last change
      }
    }
  }

  /** A lease goes on when its holder calls before anybody has seen, and acted on, its end. */
  private void heard(String id) {
    Lease own = leases.get(id);
    if (own != null && !valid(own) && own.expiry != SEEN_TO_END) {
      leases.put(id, own.until(clock.getAsLong() + MILLIS, own.doing));
    }
  }

  private void end(Lease held) {
    leases.remove(held.id);
    claims.end(held.id);
    daemonEnded = held.standby;
    daemonUntil = held.standby ? clock.getAsLong() : daemonUntil;
  }

  /** The standing of a lease; one that is not valid does not lead. */
  public synchronized Standing standing(String id) {
    Optional<String> leader = leader();
    return new Standing(leader.filter(id::equals).isPresent(), leases.size());
  }

  /** The lease that leads; empty when there is none that has not resigned. */
  public synchronized Optional<String> leader() {
    turn();
    expire();
    return leases.values().stream().filter(held -> !held.resigned).map(Lease::id).findFirst();
  }

  /** The holder finishes its work and begins no more: the next lease leads from now on. */
  public synchronized void resign(String id) {
    turn();
    leases.computeIfPresent(id, (unused, held) -> held.withoutLead());
  }

  /** Whether other leases may be valid at the same time as this one. */
  public synchronized boolean isShared(String id) {
    turn();
    Lease held = leases.get(id);
    return held != null && !held.scope.isAll();
  }

  /** Whether no lease other than this one is valid. */
  public synchronized boolean isLast(String id) {
    turn();
    expire();
    return leases.keySet().stream().allMatch(id::equals);
  }

  /**
   * Claims a stripe for a change that takes several calls, until the claim is released or the lease
   * ends.
   *
   * @param number number of the claim, which increases; 0 for holders that do not number claims
   * @return empty when the claim is granted, or was before; else the holder of the claim, for which
   *     the stripe then counts as awaited
   * @throws IOException when the lease is not valid, or has too many claims
   */
  public synchronized Optional<String> claim(String id, String stripe, long number)
      throws IOException {
    check(id);
    String holder = holder(id);
    return claims.claim(id, holder, stripe, number).map(this::holder);
  }

  private String holder(String id) {
    return Objects.requireNonNull(leases.get(id)).holder;
  }

  /** The stripes claimed by a lease that other leases wait for. */
  public synchronized Set<String> awaited(String id) {
    turn();
    return claims.awaited(id);
  }

  /**
   * Releases a claim, and earlier claims of the lease on the same stripe. Does nothing when the
   * lease does not have the claim any more, or has claimed the stripe again.
   *
   * @param number number of the claim
   */
  public synchronized void unclaim(String id, String stripe, long number) {
    turn();
    if (leases.containsKey(id)) {
      claims.release(id, stripe, number);
    }
  }

  /** Whether any lease has claimed a stripe. */
  public synchronized boolean isClaimed(String stripe) {
    return isClaimedByOthers("", stripe);
  }

  /** Whether another lease has claimed a stripe. */
  public synchronized boolean isClaimedByOthers(String id, String stripe) {
    turn();
    expire();
    return claims.isClaimedByOthers(id, stripe);
  }

  /** The command that has waited longest of those that a holder gives way to. */
  public synchronized Optional<String> waiting() {
    turn();
    long now = clock.getAsLong();
    return leases.values().stream().anyMatch(held -> now < held.keepsUntil)
        ? Optional.empty()
        : first(asked -> !asked.standby);
  }

  /** The coordinator that has waited longest, including daemons on standby. */
  public synchronized Optional<String> next() {
    turn();
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

  /** Number of daemons on standby in the queue. */
  public synchronized int standingBy() {
    turn();
    leave();
    return (int) queue.values().stream().filter(Asked::standby).count();
  }

  /** The holders of all leases; that of the oldest lease first. */
  public synchronized List<String> holders() {
    turn();
    expire();
    return leases.values().stream().map(Lease::holder).toList();
  }

  /** All leases with the work of their holders; the oldest lease first. */
  public synchronized List<Held> held() {
    turn();
    expire();
    long now = clock.getAsLong();
    return leases.values().stream()
        .map(
            held ->
                new Held(
                    held.holder,
                    now - held.begun,
                    held.doing.map(
                        work -> new Doing(work.phase, work.done, work.total, now - work.since))))
        .toList();
  }

  /**
   * Extends a lease; returns false when it is not valid any more. A lease that another call has
   * already found expired stays expired.
   *
   * @param doing progress of the holder; empty when there is nothing new to report
   */
  public synchronized boolean renew(String id, Optional<Doing> doing) {
    turn();
    heard(id);
    expire();
    Lease present = leases.get(id);
    if (present == null) {
      return false;
    }
    long now = clock.getAsLong();
    Optional<Begun> work = doing.map(said -> begun(said, now)).or(() -> present.doing);
    leases.put(id, present.until(now + MILLIS, work));
    return true;
  }

  /**
   * Gives a lease back, as soon as its running changes have ended; returns whether it was still
   * valid.
   *
   * @param returns whether the holder only gives way and will ask again. It then goes to the front
   *     of the queue: daemons do not take turns
   */
  public synchronized boolean release(String id, boolean returns) {
    turn();
    Lease present = leases.get(id);
    if (present == null) {
      return false;
    }
    long now = clock.getAsLong();
    leases.put(id, present.until(SEEN_TO_END, Optional.empty()));
    expire();
    if (returns) {
      Map<String, Asked> others = new LinkedHashMap<>(queue);
      queue.clear();
      queue.put(present.holder, new Asked(now, now + QUEUE_MILLIS, present.standby, present.scope));
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

  /** Refuses a caller whose lease is not valid. */
  public synchronized void check(String id) throws IOException {
    turn();
    heard(id);
    expire();
    if (!leases.containsKey(id)) {
      String taken =
          leases.isEmpty() ? "" : " or was taken by " + leases.values().iterator().next().holder;
      throw new IOException(
          "the coordinator's lease has expired" + taken + ": run the command again");
    }
  }

  /**
   * Begins a change, or refuses it without a valid lease. The lease does not expire before the
   * change ends.
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
