@NullMarked
package org.braid.testing;

import org.jspecify.annotations.NullMarked;
