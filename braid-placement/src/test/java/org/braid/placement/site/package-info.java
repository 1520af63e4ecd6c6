@NullMarked
package org.braid.placement.site;

import org.jspecify.annotations.NullMarked;
