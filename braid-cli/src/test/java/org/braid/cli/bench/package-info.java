/** Tests of the measurements. */
@NullMarked
package org.braid.cli.bench;

import org.jspecify.annotations.NullMarked;
