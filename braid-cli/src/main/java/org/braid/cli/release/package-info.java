/** Generates the manual pages and the completion of a release from the same source as --help. */
@NullMarked
package org.braid.cli.release;

import org.jspecify.annotations.NullMarked;
