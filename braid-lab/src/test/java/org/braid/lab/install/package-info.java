@NullMarked
package org.braid.lab.install;

import org.jspecify.annotations.NullMarked;
