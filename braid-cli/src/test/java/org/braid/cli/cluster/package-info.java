/** Tests of what the commands on a cluster say. */
@NullMarked
package org.braid.cli.cluster;

import org.jspecify.annotations.NullMarked;
