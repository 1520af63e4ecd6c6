/**
 * A client of a cluster that is told what to do line by line, and measures what it does: what
 * experiments run in a laboratory's network, as one process that lives as long as they do.
 */
@NullMarked
package org.braid.hdfs.lab;

import org.jspecify.annotations.NullMarked;
