/** A process inside the lab that makes traffic between its hosts and asks them. */
@NullMarked
package org.braid.lab.agent;

import org.jspecify.annotations.NullMarked;
