@NullMarked
package org.braid.placement.study;

import org.jspecify.annotations.NullMarked;
