/** The report of a demo as one self-contained HTML page. */
@NullMarked
package org.braid.cli.report;

import org.jspecify.annotations.NullMarked;
