/** Commands on placement without a cluster. */
@NullMarked
package org.braid.cli.place;

import org.jspecify.annotations.NullMarked;
