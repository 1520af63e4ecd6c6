/** Tests. */
@NullMarked
package org.braid.experiment.text;

import org.jspecify.annotations.NullMarked;
