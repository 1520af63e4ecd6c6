/** Tests of what the demo decides by. */
@NullMarked
package org.braid.cli.demo;

import org.jspecify.annotations.NullMarked;
