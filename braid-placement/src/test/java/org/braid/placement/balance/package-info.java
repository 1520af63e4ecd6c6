@NullMarked
package org.braid.placement.balance;

import org.jspecify.annotations.NullMarked;
