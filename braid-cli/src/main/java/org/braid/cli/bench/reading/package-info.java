/** How fast one reader reads a file, on an embedded cluster. */
@NullMarked
package org.braid.cli.bench.reading;

import org.jspecify.annotations.NullMarked;
