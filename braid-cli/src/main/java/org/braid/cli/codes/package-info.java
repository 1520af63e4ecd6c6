/** The commands on codes alone: they need no cluster. */
@NullMarked
package org.braid.cli.codes;

import org.jspecify.annotations.NullMarked;
