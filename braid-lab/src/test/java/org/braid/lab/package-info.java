/** Tests. */
@NullMarked
package org.braid.lab;

import org.jspecify.annotations.NullMarked;
