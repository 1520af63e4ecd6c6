@NullMarked
package org.braid.hdfs.setting;

import org.jspecify.annotations.NullMarked;
