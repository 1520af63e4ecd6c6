/** The second noun: a placement is a flow from blocks over nodes to racks. */
@NullMarked
package org.braid.placement;

import org.jspecify.annotations.NullMarked;
