/** The commands on placement: policies compared, one stripe shown, blocks grouped. */
@NullMarked
package org.braid.cli.place;

import org.jspecify.annotations.NullMarked;
