/** The control protocol: stubs on HDFS's own RPC servers, and the connections to them. */
@NullMarked
package org.braid.hdfs.rpc;

import org.jspecify.annotations.NullMarked;
