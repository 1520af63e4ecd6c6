/** Tests of the command line, the launcher and the layers. */
@NullMarked
package org.braid.cli;

import org.jspecify.annotations.NullMarked;
