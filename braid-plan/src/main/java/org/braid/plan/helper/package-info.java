/** The choice of helpers: which blocks a repair reads. */
@NullMarked
package org.braid.plan.helper;

import org.jspecify.annotations.NullMarked;
