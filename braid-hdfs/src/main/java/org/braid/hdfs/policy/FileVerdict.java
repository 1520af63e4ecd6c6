package org.braid.hdfs.policy;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What policies make of a file.
 *
 * @param policy the one that takes it, or will; empty: none
 * @param action what it wants
 * @param at when it takes the file; empty: now, or never
 * @param passed why those before it do not take the file now, or why none does
 */
public record FileVerdict(
    Optional<Policy> policy, Optional<Action> action, Optional<Instant> at, List<Passed> passed) {
  public FileVerdict {
    passed = List.copyOf(passed);
  }

  /** Why a policy does not take the file. */
  public record Passed(String policy, String reason) {}
}
