/** What programs ask of a cluster and what they are told: no Hadoop, no mechanism. */
@NullMarked
package org.braid.hdfs.api;

import org.jspecify.annotations.NullMarked;
