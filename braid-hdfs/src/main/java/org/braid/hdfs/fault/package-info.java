/** Named steps at which tests stop a process, and the data they corrupt there. */
@NullMarked
package org.braid.hdfs.fault;

import org.jspecify.annotations.NullMarked;
