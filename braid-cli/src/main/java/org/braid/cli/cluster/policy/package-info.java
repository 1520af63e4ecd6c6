/** The commands on policies, and on what they pause. */
@NullMarked
package org.braid.cli.cluster.policy;

import org.jspecify.annotations.NullMarked;
