/** Runs plans on workers and asks the NameNode, for the coordinator and for clients alike. */
@NullMarked
package org.braid.hdfs.dispatch;

import org.jspecify.annotations.NullMarked;
