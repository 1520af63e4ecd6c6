/**
 * The repair manager: which repair starts when.
 *
 * <p>{@link org.braid.plan.manage.RepairManager} keeps the queue: priorities, budgets, delays,
 * time-outs and new plans after a failure. It has no clock: the caller passes the time, so that a
 * cluster and a simulation run the same code.
 */
@NullMarked
package org.braid.plan.manage;

import org.jspecify.annotations.NullMarked;
