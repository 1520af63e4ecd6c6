/** Tests of codes at work on bytes. */
@NullMarked
package org.braid.codec;

import org.jspecify.annotations.NullMarked;
