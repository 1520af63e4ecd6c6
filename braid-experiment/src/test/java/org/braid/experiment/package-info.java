/** Tests. */
@NullMarked
package org.braid.experiment;

import org.jspecify.annotations.NullMarked;
