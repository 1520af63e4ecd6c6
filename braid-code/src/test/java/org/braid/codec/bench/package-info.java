/** Tests of the work that coders are measured with. */
@NullMarked
package org.braid.codec.bench;

import org.jspecify.annotations.NullMarked;
