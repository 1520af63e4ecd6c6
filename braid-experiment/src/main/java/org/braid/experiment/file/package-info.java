/** Experiments as files: found by name, read with the line of every mistake. */
@NullMarked
package org.braid.experiment.file;

import org.jspecify.annotations.NullMarked;
