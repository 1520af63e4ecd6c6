/** Tests of the layout and the CRC of blocks. */
@NullMarked
package org.braid.engine.block;

import org.jspecify.annotations.NullMarked;
