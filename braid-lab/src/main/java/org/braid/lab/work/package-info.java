/** What the lab's experiments measure: workloads on a cluster in a lab, told to drivers there. */
@NullMarked
package org.braid.lab.work;

import org.jspecify.annotations.NullMarked;
