package org.braid.plan.manage;

/**
 * A repair that runs.
 *
 * @param number counts all jobs of a manager
 * @param assignment what it does
 * @param attempt 1 for the first attempt at the stripe
 * @param startedAt when it was started, in milliseconds of the caller's clock
 * @param deadline when it is overdue
 */
public record Job(long number, Assignment assignment, int attempt, long startedAt, long deadline) {}
