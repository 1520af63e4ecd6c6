/** Engines run plans on coefficient rows, on bytes, or on a cluster. */
@NullMarked
package org.braid.engine;

import org.jspecify.annotations.NullMarked;
