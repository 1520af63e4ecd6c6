/** Tests of the client. */
@NullMarked
package org.braid.hdfs.client;

import org.jspecify.annotations.NullMarked;
