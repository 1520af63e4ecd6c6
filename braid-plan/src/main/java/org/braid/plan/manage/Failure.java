package org.braid.plan.manage;

import java.util.Set;

/**
 * How a repair failed.
 *
 * @param helpers blocks that are better not read again: their node failed, fell silent or lied
 * @param destinations nodes that are better not written to again
 * @param reason for people
 */
public record Failure(Set<Integer> helpers, Set<Integer> destinations, String reason) {
  public Failure {
    helpers = Set.copyOf(helpers);
    destinations = Set.copyOf(destinations);
  }
}
