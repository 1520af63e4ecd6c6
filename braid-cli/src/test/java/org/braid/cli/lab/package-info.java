/** Tests of what the commands on a lab say. */
@NullMarked
package org.braid.cli.lab;

import org.jspecify.annotations.NullMarked;
