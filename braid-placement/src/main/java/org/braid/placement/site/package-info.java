/**
 * Stripes over sites far apart (Geo-MXOR sections V-C, V-D and VII-D): where the blocks of a stripe
 * and the copies of its parities go, and what a repair then reads from other sites.
 */
@NullMarked
package org.braid.placement.site;

import org.jspecify.annotations.NullMarked;
