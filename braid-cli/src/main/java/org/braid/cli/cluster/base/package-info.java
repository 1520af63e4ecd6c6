/** What all commands on a cluster share: how they connect to it, and what they call its paths. */
@NullMarked
package org.braid.cli.cluster.base;

import org.jspecify.annotations.NullMarked;
