package org.braid.hdfs.policy;

import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The policies of a cluster after a change.
 *
 * @param revision number of the change, from 1; 0: nothing was ever changed
 * @param user who made it
 * @param at when
 * @param change description of the change
 * @param pauses until when work is paused, in the order of {@link Pausable}; {@link Instant#MAX}
 *     for a pause without a set end
 */
public record PolicyDocument(
    long revision,
    String user,
    Instant at,
    String change,
    PolicySet policies,
    Map<Pausable, Instant> pauses) {
  /** The document before any change. */
  public static final PolicyDocument NONE =
      new PolicyDocument(0, "", Instant.EPOCH, "", PolicySet.NONE, Map.of());

  public PolicyDocument {
    pauses = Collections.unmodifiableMap(new TreeMap<>(pauses));
  }

  /** Until when some work is paused; empty when it is not. */
  public Optional<Instant> pausedUntil(Pausable work, Instant now) {
    return Optional.ofNullable(pauses.get(work)).filter(until -> until.isAfter(now));
  }

  /** The paused work and the ends of its pauses, in the order of {@link Pausable}. */
  public Map<Pausable, Instant> pausesAt(Instant now) {
    Map<Pausable, Instant> holding = new TreeMap<>(pauses);
    holding.keySet().removeIf(work -> pausedUntil(work, now).isEmpty());
    return holding;
  }

  /** The same with other policies. */
  public PolicyDocument with(PolicySet others) {
    return new PolicyDocument(revision, user, at, change, others, pauses);
  }

  /** The same with a pause. */
  public PolicyDocument pausing(Pausable work, Instant until) {
    Map<Pausable, Instant> more = new TreeMap<>(pauses);
    more.put(work, until);
    return new PolicyDocument(revision, user, at, change, policies, more);
  }

  /** The same without a pause. */
  public PolicyDocument resuming(Pausable work) {
    Map<Pausable, Instant> fewer = new TreeMap<>(pauses);
    fewer.remove(work);
    return new PolicyDocument(revision, user, at, change, policies, fewer);
  }

  /** The same as the next change. */
  public PolicyDocument asChange(String who, Instant when, String what) {
    return new PolicyDocument(revision + 1, who, when, what, policies, pauses);
  }
}
