@NullMarked
package org.braid.placement.lrc;

import org.jspecify.annotations.NullMarked;
