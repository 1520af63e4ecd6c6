/** Tests of the engines, and the contract that every engine keeps. */
@NullMarked
package org.braid.engine;

import org.jspecify.annotations.NullMarked;
