@NullMarked
package org.braid.hdfs.testkit.lab;

import org.jspecify.annotations.NullMarked;
