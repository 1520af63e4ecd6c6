/** Threads of daemons and of clients. */
@NullMarked
package org.braid.thread;

import org.jspecify.annotations.NullMarked;
