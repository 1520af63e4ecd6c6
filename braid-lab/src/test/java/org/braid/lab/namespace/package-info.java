/** Tests. */
@NullMarked
package org.braid.lab.namespace;

import org.jspecify.annotations.NullMarked;
