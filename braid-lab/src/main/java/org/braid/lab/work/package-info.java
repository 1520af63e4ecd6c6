/** The workloads of the lab's experiments, which drivers carry out on a cluster in a lab. */
@NullMarked
package org.braid.lab.work;

import org.jspecify.annotations.NullMarked;
