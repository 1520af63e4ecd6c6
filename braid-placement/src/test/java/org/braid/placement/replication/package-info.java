@NullMarked
package org.braid.placement.replication;

import org.jspecify.annotations.NullMarked;
