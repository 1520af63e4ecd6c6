/** Tests. */
@NullMarked
package org.braid.lab.space;

import org.jspecify.annotations.NullMarked;
