package org.braid.plan.manage;

import org.braid.plan.schedule.ScheduledRepair;

/**
 * A running repair.
 *
 * @param number unique among the jobs of a manager
 * @param repair its helpers, destinations and plans
 * @param attempt 1 for the first attempt at the stripe
 * @param startedAt time of the start, in milliseconds of the caller's clock
 * @param deadline time from which it is overdue
 */
public record RepairJob(
    long number, ScheduledRepair repair, int attempt, long startedAt, long deadline) {}
