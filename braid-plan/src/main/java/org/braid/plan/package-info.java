/** The third noun: a plan is a DAG of linear combinations; planners shape it. */
@NullMarked
package org.braid.plan;

import org.jspecify.annotations.NullMarked;
