/** The commands on policies, and those that pause and resume work. */
@NullMarked
package org.braid.cli.cluster.policy;

import org.jspecify.annotations.NullMarked;
