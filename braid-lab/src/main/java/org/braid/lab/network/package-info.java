/** The lab's network: topology, set-up, limits and counters of links. */
@NullMarked
package org.braid.lab.network;

import org.jspecify.annotations.NullMarked;
