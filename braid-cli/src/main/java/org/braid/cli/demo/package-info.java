/** The story that {@code braid demo} plays: what happens, what is compared, what is counted. */
@NullMarked
package org.braid.cli.demo;

import org.jspecify.annotations.NullMarked;
