/** Tests. */
@NullMarked
package org.braid.experiment.judge;

import org.jspecify.annotations.NullMarked;
