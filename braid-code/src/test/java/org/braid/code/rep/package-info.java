/** Tests of replication. */
@NullMarked
package org.braid.code.rep;

import org.jspecify.annotations.NullMarked;
