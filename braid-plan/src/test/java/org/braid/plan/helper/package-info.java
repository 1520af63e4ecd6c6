/** Tests of the choice of helpers. */
@NullMarked
package org.braid.plan.helper;

import org.jspecify.annotations.NullMarked;
