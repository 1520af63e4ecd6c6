/** Tests of the codes, and the contract that every code keeps. */
@NullMarked
package org.braid.code;

import org.jspecify.annotations.NullMarked;
