/** Work to measure coders with, and those who do it: ourselves, ISA-L alone, and others. */
@NullMarked
package org.braid.codec.bench;

import org.jspecify.annotations.NullMarked;
