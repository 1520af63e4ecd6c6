/** What the jar for clients says of itself. */
@NullMarked
package org.braid.client;

import org.jspecify.annotations.NullMarked;
