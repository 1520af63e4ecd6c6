/**
 * Encoded stripes of which no node serves more of a file, or of all files, than it must.
 *
 * <p>HDFS-EC finds concurrent readers slowed down by nodes that serve many of them (section 5,
 * observation 4), and leaves a placement that balances the load to future work. Here the data
 * blocks of the stripes of one or many files are placed by a flow: stripes -> racks -> nodes.
 */
@NullMarked
package org.braid.placement.balance;

import org.jspecify.annotations.NullMarked;
