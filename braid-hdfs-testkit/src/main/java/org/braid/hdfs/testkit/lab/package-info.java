/**
 * The driver of experiments: a long-running client that executes commands from standard input on a
 * cluster and measures them.
 */
@NullMarked
package org.braid.hdfs.testkit.lab;

import org.jspecify.annotations.NullMarked;
