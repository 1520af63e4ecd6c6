/** Tests of plans, planners and costs. */
@NullMarked
package org.braid.plan;

import org.jspecify.annotations.NullMarked;
