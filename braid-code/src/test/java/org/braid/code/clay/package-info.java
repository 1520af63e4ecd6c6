/** Tests of Clay codes. */
@NullMarked
package org.braid.code.clay;

import org.jspecify.annotations.NullMarked;
