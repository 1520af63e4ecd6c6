/** Tests of runs of plans on HDFS that need no cluster. */
@org.jspecify.annotations.NullMarked
package org.braid.hdfs.engine;
