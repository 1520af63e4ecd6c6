/** Tests. */
@NullMarked
package org.braid.lab.network;

import org.jspecify.annotations.NullMarked;
