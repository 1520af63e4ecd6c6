/** Tests of how NameNodes and DataNodes are called. */
@NullMarked
package org.braid.hdfs.dispatch;

import org.jspecify.annotations.NullMarked;
