/** Hadoop's own tests of HDFS, run with stock HDFS and with Braid, and compared test by test. */
@NullMarked
package org.braid.hadooptests;

import org.jspecify.annotations.NullMarked;
