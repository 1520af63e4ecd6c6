/** Parsers of the files that users write, fed with what nobody means. */
@NullMarked
package org.braid.lab.fuzz;

import org.jspecify.annotations.NullMarked;
