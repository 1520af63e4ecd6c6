/** Rules by which files are converted and restored: no Hadoop, no clock. */
@NullMarked
package org.braid.hdfs.policy;

import org.jspecify.annotations.NullMarked;
