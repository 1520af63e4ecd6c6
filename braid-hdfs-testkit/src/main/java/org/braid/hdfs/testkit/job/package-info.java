/**
 * Small MapReduce jobs, and the client that submits them and reads how their tasks ran. The jars of
 * MapReduce are on the class path of jobs and of those clients alone.
 */
@NullMarked
package org.braid.hdfs.testkit.job;

import org.jspecify.annotations.NullMarked;
