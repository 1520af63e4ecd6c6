/**
 * What a release has beside its jars: manual pages and completion, of the same source as --help.
 */
@NullMarked
package org.braid.cli.release;

import org.jspecify.annotations.NullMarked;
