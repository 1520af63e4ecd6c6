/** Tests of Rotated Reed-Solomon. */
@NullMarked
package org.braid.code.rotated;

import org.jspecify.annotations.NullMarked;
