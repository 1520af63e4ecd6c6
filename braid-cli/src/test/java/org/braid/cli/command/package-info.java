/** Tests of what all commands share. */
@NullMarked
package org.braid.cli.command;

import org.jspecify.annotations.NullMarked;
