/** What the tests of every module share: random numbers that can be replayed. */
@NullMarked
package org.braid.testing;

import org.jspecify.annotations.NullMarked;
