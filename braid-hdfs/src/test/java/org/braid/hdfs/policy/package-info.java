@NullMarked
package org.braid.hdfs.policy;

import org.jspecify.annotations.NullMarked;
