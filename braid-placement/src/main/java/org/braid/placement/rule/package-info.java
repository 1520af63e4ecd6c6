/**
 * Rules for the blocks of encoded stripes. A {@link org.braid.placement.rule.StripeRule} lays
 * stripes out, chooses the nodes of rebuilt blocks and names the blocks that break it, so that
 * conversion, repair, guard and fsck agree.
 */
@NullMarked
package org.braid.placement.rule;

import org.jspecify.annotations.NullMarked;
