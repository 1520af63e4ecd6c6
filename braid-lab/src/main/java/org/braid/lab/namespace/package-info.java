/** The namespaces that everything of a lab lives in, and goes with. */
@NullMarked
package org.braid.lab.namespace;

import org.jspecify.annotations.NullMarked;
