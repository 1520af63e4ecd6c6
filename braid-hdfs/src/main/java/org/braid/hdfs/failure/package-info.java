/** What failures of all parts have in common; the package knows no other one of Braid's. */
@NullMarked
package org.braid.hdfs.failure;

import org.jspecify.annotations.NullMarked;
