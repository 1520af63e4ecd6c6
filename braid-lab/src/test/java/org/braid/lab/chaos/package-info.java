@NullMarked
package org.braid.lab.chaos;

import org.jspecify.annotations.NullMarked;
