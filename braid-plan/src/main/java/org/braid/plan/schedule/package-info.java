/**
 * Repair schedulers: they choose helpers and destinations for the repairs of many stripes.
 *
 * <p>{@link org.braid.plan.schedule.RepairSchedulers} has them by name, m-PPR (PPR section 5) among
 * them; {@link org.braid.plan.schedule.LoadBound} is the bound that no schedule goes below.
 */
@NullMarked
package org.braid.plan.schedule;

import org.jspecify.annotations.NullMarked;
