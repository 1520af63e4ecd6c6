/** Experiments as data: what is compared, on what, how often, and what the papers say. */
@NullMarked
package org.braid.experiment;

import org.jspecify.annotations.NullMarked;
