/** What a plan moves over the links of a network, and how long that takes. */
@NullMarked
package org.braid.plan.cost;

import org.jspecify.annotations.NullMarked;
