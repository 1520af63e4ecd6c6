/** Read-only reports about a cluster. */
@NullMarked
package org.braid.hdfs.api.view;

import org.jspecify.annotations.NullMarked;
