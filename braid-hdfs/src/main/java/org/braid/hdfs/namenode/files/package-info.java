@NullMarked
package org.braid.hdfs.namenode.files;

import org.jspecify.annotations.NullMarked;
