/** HDFS daemons on an emulated rack network. */
@NullMarked
package org.braid.lab;

import org.jspecify.annotations.NullMarked;
