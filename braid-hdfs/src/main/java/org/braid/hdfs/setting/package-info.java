/** The properties of Braid, and the check of a configuration. */
@NullMarked
package org.braid.hdfs.setting;

import org.jspecify.annotations.NullMarked;
