/**
 * Placement of encoded stripes that balances the load of readers.
 *
 * <p>HDFS-EC finds concurrent readers slowed down by nodes that serve many of them (section 5,
 * observation 4), and leaves a placement that balances the load to future work. Here a flow from
 * stripes over racks to nodes places the data blocks of one or many files.
 */
@NullMarked
package org.braid.placement.balance;

import org.jspecify.annotations.NullMarked;
