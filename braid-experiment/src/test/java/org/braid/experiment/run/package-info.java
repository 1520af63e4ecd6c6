/** Tests. */
@NullMarked
package org.braid.experiment.run;

import org.jspecify.annotations.NullMarked;
