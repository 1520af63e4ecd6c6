/**
 * Measurements of replication policies: balance and costs of encoding (EAR section 3.1.2 with fig.
 * 3, experiments 8 and 9).
 */
@NullMarked
package org.braid.placement.study;

import org.jspecify.annotations.NullMarked;
