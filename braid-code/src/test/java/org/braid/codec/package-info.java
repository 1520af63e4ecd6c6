/** Tests of encoding and decoding in memory. */
@NullMarked
package org.braid.codec;

import org.jspecify.annotations.NullMarked;
