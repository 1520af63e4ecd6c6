/** What several tests of this module need. */
@NullMarked
package org.braid.hdfs.testing;

import org.jspecify.annotations.NullMarked;
