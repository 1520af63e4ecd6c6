/**
 * The repair manager: which lost block is repaired when, from which helpers, onto which node.
 *
 * <p>{@link org.braid.plan.manage.RepairManager} keeps the queue: priorities, budgets, delays,
 * time-outs and plans made anew. {@link org.braid.plan.manage.RepairSchedulers} choose helpers and
 * destinations, m-PPR (PPR section 5) among them, and {@link org.braid.plan.manage.LoadBound} says
 * what none of them can go below. Time comes in as a number; whoever has a clock, real or virtual,
 * drives the same code.
 */
@NullMarked
package org.braid.plan.manage;

import org.jspecify.annotations.NullMarked;
