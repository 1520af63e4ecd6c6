/**
 * Placement of replicas before encoding: HDFS's random replication, encoding-aware replication and
 * its preliminary form, the pre-encoding store, and the choice of the node that encodes a stripe
 * (EAR sections 2.1 to 3.4 and 4).
 */
@NullMarked
package org.braid.placement.replication;

import org.jspecify.annotations.NullMarked;
