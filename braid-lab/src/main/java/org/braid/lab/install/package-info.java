/** Installs a release on the hosts of a lab by its own scripts, as an operator would. */
@NullMarked
package org.braid.lab.install;

import org.jspecify.annotations.NullMarked;
