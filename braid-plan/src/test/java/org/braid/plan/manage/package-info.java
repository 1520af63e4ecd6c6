@NullMarked
package org.braid.plan.manage;

import org.jspecify.annotations.NullMarked;
