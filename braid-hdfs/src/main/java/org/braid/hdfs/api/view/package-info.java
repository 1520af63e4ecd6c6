/** What is seen of a cluster by who looks at it and changes nothing. */
@NullMarked
package org.braid.hdfs.api.view;

import org.jspecify.annotations.NullMarked;
