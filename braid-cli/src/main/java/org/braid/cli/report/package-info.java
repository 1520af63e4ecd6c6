/** The report of a demo as one HTML page that needs nothing else. */
@NullMarked
package org.braid.cli.report;

import org.jspecify.annotations.NullMarked;
