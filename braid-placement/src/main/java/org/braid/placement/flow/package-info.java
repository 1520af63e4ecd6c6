/**
 * Maximum flows, and the questions that placement answers with them: which replicas can stay after
 * encoding, and whether one more block can keep one (EAR section 3.2).
 */
@NullMarked
package org.braid.placement.flow;

import org.jspecify.annotations.NullMarked;
