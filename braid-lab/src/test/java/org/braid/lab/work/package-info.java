@NullMarked
package org.braid.lab.work;

import org.jspecify.annotations.NullMarked;
