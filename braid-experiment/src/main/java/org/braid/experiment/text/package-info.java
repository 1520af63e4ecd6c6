/** How sizes, rates and times are written and read, and errors of files are said. */
@NullMarked
package org.braid.experiment.text;

import org.jspecify.annotations.NullMarked;
