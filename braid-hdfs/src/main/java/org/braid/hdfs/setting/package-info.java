/** The properties of Braid, and what is wrong with those that a configuration sets. */
@NullMarked
package org.braid.hdfs.setting;

import org.jspecify.annotations.NullMarked;
