/** Tests. */
@NullMarked
package org.braid.experiment.file;

import org.jspecify.annotations.NullMarked;
