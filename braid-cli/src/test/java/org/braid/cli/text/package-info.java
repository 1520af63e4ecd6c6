/** Tests of numbers, tables and objects. */
@NullMarked
package org.braid.cli.text;

import org.jspecify.annotations.NullMarked;
