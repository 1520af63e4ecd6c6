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
 * The leases by which coordinators may change things: 15 s, renewable, lost when they expire or
 * when the NameNode restarts or fails over. Two may be held at once if their scopes do not overlap;
 * a daemon's is all of the cluster. Whoever asks in vain has a place in a queue as long as it goes
 * on asking, so that a holder that gives way cannot overtake whom it gave way to. One that stands
 * by waits for the end of all holders, and nobody gives way to it. As long as a change is made
 * under a lease, nobody else gets what is in its scope: what the change looked at and what it does
 * then are one step for other coordinators.
 *
 * <p>The lease that was given first leads: its holder rebuilds what readers wait for and what is
 * lost elsewhere. Stripes that reach over several scopes are claimed, one by one, before they are
 * changed.
 */
public final class Leases {
  public static final long MILLIS = 15_000;

  /** Who has not asked for so long has left the queue, unless its calls take longer. */
  public static final long QUEUE_MILLIS = 2000;

  /** A daemon that has waited for so long lets no more commands pass. */
  static final long STARVED_MILLIS = 3_600_000;

  /** And gives way to none before it has worked for so long. */
  static final long SLICE_MILLIS = 60_000;

  /** What the holders' names of daemons begin with. */
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
   * How far the holder is with its work, as it says itself.
   *
   * @param phase what is being done
   * @param total 0: it has no end
   * @param phaseMillis for how long it has been in this phase
   */
  public record Doing(String phase, long done, long total, long phaseMillis) {}

  /**
   * A lease that is held.
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

  /** What a coordinator is answered: the lease, or who holds it, or comes first. */
  public record Answer(@Nullable String lease, String holder) {}

  /**
   * How a lease is among others.
   *
   * @param leads whether it was given first of those that have not resigned
   * @param held how many are held
   */
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
   * No lease is given yet.
   *
   * @param clock milliseconds that never run backwards
   * @param eras tells apart the times in office of this NameNode: another number whenever it has
   *     become active, or a standby
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

  /** Tells the present time in office of this NameNode from all others. */
  public long era() {
    return eras.getAsLong();
  }

  /**
   * Gives a lease if no other one overlaps it, and nobody else has waited longer for a part of it.
   *
   * @param name of the holder; a long one is cut
   * @param standby whether the holder need not give way: one daemon works, others wait for its end
   * @param keepMillis for how long its place is to be kept, 2 to 15 s: whoever asks knows how long
   *     its calls take
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

  /** How a lease is among those that are held; one that is not held does not lead. */
  public synchronized Standing standing(String id) {
    Optional<String> leader = leader();
    return new Standing(leader.filter(id::equals).isPresent(), leases.size());
  }

  /** The lease that leads; empty when all have resigned, or none is held. */
  public synchronized Optional<String> leader() {
    turn();
    expire();
    return leases.values().stream().filter(held -> !held.resigned).map(Lease::id).findFirst();
  }

  /** The holder ends and begins nothing more: another one is to lead. */
  public synchronized void resign(String id) {
    turn();
    leases.computeIfPresent(id, (unused, held) -> held.withoutLead());
  }

  /** Whether others may be held beside a lease. */
  public synchronized boolean isShared(String id) {
    turn();
    Lease held = leases.get(id);
    return held != null && !held.scope.isAll();
  }

  /** Whether no lease is held but one, if that is still held. */
  public synchronized boolean isLast(String id) {
    turn();
    expire();
    return leases.keySet().stream().allMatch(id::equals);
  }

  /**
   * Claims a stripe for a change that takes several calls, until it is released or the lease ends.
   *
   * @param number of the claim, the later the higher; 0 for holders that do not number theirs
   * @return empty when the claim is granted, or was before; else who has it, and is told that it is
   *     awaited
   * @throws IOException when the lease is not held, or has too many claims
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

  /** The stripes that a lease has claimed and for which others wait. */
  public synchronized Set<String> awaited(String id) {
    turn();
    return claims.awaited(id);
  }

  /**
   * Releases a claim, and those before it; nothing happens when the lease does not have it any
   * more, or has claimed the stripe again.
   *
   * @param number of the claim
   */
  public synchronized void unclaim(String id, String stripe, long number) {
    turn();
    if (leases.containsKey(id)) {
      claims.release(id, stripe, number);
    }
  }

  /** Whether somebody who holds a lease has claimed a stripe. */
  public synchronized boolean isClaimed(String stripe) {
    return isClaimedByOthers("", stripe);
  }

  /** Whether somebody who holds another lease has claimed a stripe. */
  public synchronized boolean isClaimedByOthers(String id, String stripe) {
    turn();
    expire();
    return claims.isClaimedByOthers(id, stripe);
  }

  /** Who has waited longest of those that the holder is to give way to. */
  public synchronized Optional<String> waiting() {
    turn();
    long now = clock.getAsLong();
    return leases.values().stream().anyMatch(held -> now < held.keepsUntil)
        ? Optional.empty()
        : first(asked -> !asked.standby);
  }

  /** Who has waited longest, those that stand by included. */
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

  /** How many daemons wait for the end of the holder, or of the command that it gave way to. */
  public synchronized int standingBy() {
    turn();
    leave();
    return (int) queue.values().stream().filter(Asked::standby).count();
  }

  /** Who holds leases; the one that leads first. */
  public synchronized List<String> holders() {
    turn();
    expire();
    return leases.values().stream().map(Lease::holder).toList();
  }

  /** The leases, and what their holders do; the one that leads first. */
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
   * Extends a lease; false when it is not held any more. One that somebody has seen to be overdue
   * stays expired.
   *
   * @param doing what the holder does; empty when it does not say that, or nothing new
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
   * Gives a lease back, as soon as its changes have ended; says whether it was held still.
   *
   * @param returns whether the holder only gives way and will ask again: it is the first of those
   *     that stand by, so that daemons do not take turns
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

  /** Refuses a change by anybody but a holder. */
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
   * Begins a change by a holder, and refuses one by anybody else. The lease does not expire before
   * it ends.
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
