/**
 * How many bytes a second work in the background may move over each link: limits, max-min fair
 * rates of plans, and the back-off from users' reads. No clock and no threads of its own.
 */
@NullMarked
package org.braid.plan.throttle;

import org.jspecify.annotations.NullMarked;
