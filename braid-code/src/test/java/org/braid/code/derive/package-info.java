/** Tests of properties derived from matrices. */
@NullMarked
package org.braid.code.derive;

import org.jspecify.annotations.NullMarked;
