/** Tests of audit logs. */
@NullMarked
package org.braid.hdfs.policy.audit;

import org.jspecify.annotations.NullMarked;
