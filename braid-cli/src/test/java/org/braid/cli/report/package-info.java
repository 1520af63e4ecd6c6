/** Tests of the page. */
@NullMarked
package org.braid.cli.report;

import org.jspecify.annotations.NullMarked;
