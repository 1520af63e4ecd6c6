/** Codes at work on bytes: encoding, decoding and repair of whole stripes in memory. */
@NullMarked
package org.braid.codec;

import org.jspecify.annotations.NullMarked;
