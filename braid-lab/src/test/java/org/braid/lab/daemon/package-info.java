/** Tests. */
@NullMarked
package org.braid.lab.daemon;

import org.jspecify.annotations.NullMarked;
