/** Tests of the cost model. */
@NullMarked
package org.braid.plan.cost;

import org.jspecify.annotations.NullMarked;
