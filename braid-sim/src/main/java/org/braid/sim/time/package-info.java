/** Virtual time: what happens when, in an order that depends on nothing but the run's inputs. */
@NullMarked
package org.braid.sim.time;

import org.jspecify.annotations.NullMarked;
