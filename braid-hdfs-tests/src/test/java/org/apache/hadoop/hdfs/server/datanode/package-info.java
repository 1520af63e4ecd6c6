/** What tests ask of DataNodes that HDFS shows to its own package only. */
@NullMarked
package org.apache.hadoop.hdfs.server.datanode;

import org.jspecify.annotations.NullMarked;
