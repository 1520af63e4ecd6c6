/** Commands that plan repairs and encodings without a cluster. */
@NullMarked
package org.braid.cli.plan;

import org.jspecify.annotations.NullMarked;
