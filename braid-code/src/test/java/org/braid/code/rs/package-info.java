/** Tests of Reed-Solomon. */
@NullMarked
package org.braid.code.rs;

import org.jspecify.annotations.NullMarked;
