/** How sizes, rates and times are written and read. */
@NullMarked
package org.braid.experiment.text;

import org.jspecify.annotations.NullMarked;
