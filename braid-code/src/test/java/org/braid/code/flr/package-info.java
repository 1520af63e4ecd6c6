/** Tests of flat local recovery. */
@NullMarked
package org.braid.code.flr;

import org.jspecify.annotations.NullMarked;
