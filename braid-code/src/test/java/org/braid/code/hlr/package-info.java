/** Tests of hierarchical local recovery. */
@NullMarked
package org.braid.code.hlr;

import org.jspecify.annotations.NullMarked;
