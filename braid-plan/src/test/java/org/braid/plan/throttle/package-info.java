@NullMarked
package org.braid.plan.throttle;

import org.jspecify.annotations.NullMarked;
