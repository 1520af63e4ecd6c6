/** What charts show, apart from how it is drawn. */
@NullMarked
package org.braid.experiment.chart;

import org.jspecify.annotations.NullMarked;
