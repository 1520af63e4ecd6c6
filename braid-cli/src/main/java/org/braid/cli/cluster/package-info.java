/** The commands that work on a cluster. */
@NullMarked
package org.braid.cli.cluster;

import org.jspecify.annotations.NullMarked;
