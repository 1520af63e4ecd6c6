/** HDFS's daemons as processes of a lab. */
@NullMarked
package org.braid.lab.daemon;

import org.jspecify.annotations.NullMarked;
