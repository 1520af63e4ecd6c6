/** Options, converters, results and exit statuses that commands share. */
@NullMarked
package org.braid.cli.command;

import org.jspecify.annotations.NullMarked;
