/** HDFS's audit logs: which files were read, when. */
@NullMarked
package org.braid.hdfs.policy.audit;

import org.jspecify.annotations.NullMarked;
