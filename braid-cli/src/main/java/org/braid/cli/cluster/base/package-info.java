/** The common parts of all commands on a cluster: connections and paths. */
@NullMarked
package org.braid.cli.cluster.base;

import org.jspecify.annotations.NullMarked;
