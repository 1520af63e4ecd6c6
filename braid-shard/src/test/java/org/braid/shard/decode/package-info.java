/** Tests of single decisions of decoding and repair. */
@NullMarked
package org.braid.shard.decode;

import org.jspecify.annotations.NullMarked;
