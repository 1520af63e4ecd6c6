package org.braid.hdfs.policy;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The decision of the policies on a file.
 *
 * @param policy the policy that takes the file now or later; empty for none
 * @param action the action of that policy
 * @param at when it takes the file; empty: now, or never
 * @param passed why the policies before it do not take the file now, or why none does
 */
public record FileVerdict(
    Optional<Policy> policy, Optional<Action> action, Optional<Instant> at, List<Passed> passed) {
  public FileVerdict {
    passed = List.copyOf(passed);
  }

  /** Why a policy does not take the file. */
  public record Passed(String policy, String reason) {}
}
