@NullMarked
package org.braid.hdfs.api;

import org.jspecify.annotations.NullMarked;
