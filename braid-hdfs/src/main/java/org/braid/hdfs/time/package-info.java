/** Time as a port, so that decisions about it are tested without waiting. */
@NullMarked
package org.braid.hdfs.time;

import org.jspecify.annotations.NullMarked;
