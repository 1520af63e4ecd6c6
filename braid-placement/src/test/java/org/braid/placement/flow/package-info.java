@NullMarked
package org.braid.placement.flow;

import org.jspecify.annotations.NullMarked;
