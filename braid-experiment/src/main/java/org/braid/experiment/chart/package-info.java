/** The figures of charts, without their drawing. */
@NullMarked
package org.braid.experiment.chart;

import org.jspecify.annotations.NullMarked;
