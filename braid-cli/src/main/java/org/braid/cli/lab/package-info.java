/** The commands on labs: HDFS's daemons on an emulated network. */
@NullMarked
package org.braid.cli.lab;

import org.jspecify.annotations.NullMarked;
