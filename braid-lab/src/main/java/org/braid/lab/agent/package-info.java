/** The process in a lab that makes traffic between hosts and queries daemons. */
@NullMarked
package org.braid.lab.agent;

import org.jspecify.annotations.NullMarked;
