/** The commands over experiments that all engines share. */
@NullMarked
package org.braid.cli.experiment;

import org.jspecify.annotations.NullMarked;
