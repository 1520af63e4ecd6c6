/**
 * Planners: they shape repairs, encodings and moves, that is, decide which node sends what to
 * which.
 */
@NullMarked
package org.braid.plan.shape;

import org.jspecify.annotations.NullMarked;
