@NullMarked
package org.braid.hdfs.api.view;

import org.jspecify.annotations.NullMarked;
