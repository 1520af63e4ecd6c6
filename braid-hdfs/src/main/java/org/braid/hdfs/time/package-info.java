/** Time as a port, so that tests of decisions about time do not wait. */
@NullMarked
package org.braid.hdfs.time;

import org.jspecify.annotations.NullMarked;
