/** Tests of the repair schedulers, and the contract that every scheduler keeps. */
@NullMarked
package org.braid.plan.schedule;

import org.jspecify.annotations.NullMarked;
