/** What the tests of every module share: replayable random numbers, waiting, hostile input. */
@NullMarked
package org.braid.testing;

import org.jspecify.annotations.NullMarked;
