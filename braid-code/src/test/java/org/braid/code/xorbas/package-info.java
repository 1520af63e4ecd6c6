/** Tests of Xorbas. */
@NullMarked
package org.braid.code.xorbas;

import org.jspecify.annotations.NullMarked;
