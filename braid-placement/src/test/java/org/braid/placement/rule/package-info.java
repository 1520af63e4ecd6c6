@NullMarked
package org.braid.placement.rule;

import org.jspecify.annotations.NullMarked;
