@NullMarked
package org.braid.hdfs.rpc;

import org.jspecify.annotations.NullMarked;
