/**
 * Parsers of what comes from the network and from attributes, fed with what nobody honest sends.
 */
@NullMarked
package org.braid.hdfs.fuzz;

import org.jspecify.annotations.NullMarked;
