package org.braid.plan.manage;

import java.util.Set;

/**
 * The cause of a failed repair.
 *
 * @param helpers blocks to avoid as helpers: their node failed, did not answer, or sent wrong bytes
 * @param destinations nodes to avoid as destinations
 * @param reason for people
 */
public record RepairFailure(Set<Integer> helpers, Set<Integer> destinations, String reason) {
  public RepairFailure {
    helpers = Set.copyOf(helpers);
    destinations = Set.copyOf(destinations);
  }
}
