/** The demo of {@code braid demo}: its steps, comparisons and figures. */
@NullMarked
package org.braid.cli.demo;

import org.jspecify.annotations.NullMarked;
