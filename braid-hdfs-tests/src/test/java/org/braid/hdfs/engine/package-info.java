/** Tests of the engine on DataNodes. */
@NullMarked
package org.braid.hdfs.engine;

import org.jspecify.annotations.NullMarked;
