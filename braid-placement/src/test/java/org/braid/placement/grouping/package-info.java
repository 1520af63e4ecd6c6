@NullMarked
package org.braid.placement.grouping;

import org.jspecify.annotations.NullMarked;
