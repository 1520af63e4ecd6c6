/** Writes of clients to converted files that are under way, and how HDFS counts what they cut. */
@NullMarked
package org.braid.hdfs.namenode.writes;

import org.jspecify.annotations.NullMarked;
