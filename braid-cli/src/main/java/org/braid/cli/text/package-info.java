/** How numbers, tables and objects are written for people and for programs. */
@NullMarked
package org.braid.cli.text;

import org.jspecify.annotations.NullMarked;
