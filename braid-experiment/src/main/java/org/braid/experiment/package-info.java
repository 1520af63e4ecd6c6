/**
 * Experiments as data: the compared systems, the points, the repetitions, and the figures of the
 * papers.
 */
@NullMarked
package org.braid.experiment;

import org.jspecify.annotations.NullMarked;
