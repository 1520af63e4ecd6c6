/** The command line {@code braid}. */
@NullMarked
package org.braid.cli;

import org.jspecify.annotations.NullMarked;
