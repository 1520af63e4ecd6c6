/** HDFS's own calls of clients, where Braid has to prepare or to delay their answers. */
@NullMarked
package org.braid.hdfs.namenode.calls;

import org.jspecify.annotations.NullMarked;
