/** Tests of the client without a cluster. */
@NullMarked
package org.braid.hdfs.client;

import org.jspecify.annotations.NullMarked;
