@NullMarked
package org.braid.hdfs.dispatch;

import org.jspecify.annotations.NullMarked;
