/** Tests of what all commands on clusters share. */
@NullMarked
package org.braid.cli.cluster.base;

import org.jspecify.annotations.NullMarked;
