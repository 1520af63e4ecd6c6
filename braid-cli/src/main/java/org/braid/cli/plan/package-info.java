/** Plans as they are: who sends what to whom, and what that costs; no cluster. */
@NullMarked
package org.braid.cli.plan;

import org.jspecify.annotations.NullMarked;
