/**
 * What policies do to a cluster, measured (EAR section 3.1.2 with fig. 3, and experiments 8 and 9).
 */
@NullMarked
package org.braid.placement.study;

import org.jspecify.annotations.NullMarked;
