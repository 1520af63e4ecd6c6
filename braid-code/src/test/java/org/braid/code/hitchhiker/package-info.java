/** Tests of Hitchhiker-XOR. */
@NullMarked
package org.braid.code.hitchhiker;

import org.jspecify.annotations.NullMarked;
