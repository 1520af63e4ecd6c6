/** Tests of the planners. */
@NullMarked
package org.braid.plan.shape;

import org.jspecify.annotations.NullMarked;
