@NullMarked
package org.braid.hdfs.lab;

import org.jspecify.annotations.NullMarked;
