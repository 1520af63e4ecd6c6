/** The lab's network: what it looks like, how it is set up and limited, what its links carried. */
@NullMarked
package org.braid.lab.network;

import org.jspecify.annotations.NullMarked;
