/**
 * Faults and operations at random on a lab, against a model of all files. The steps are a pure
 * function of a seed; {@link org.braid.lab.chaos.ChaosPlan} makes them, {@link
 * org.braid.lab.chaos.ChaosRun} carries them out.
 */
@NullMarked
package org.braid.lab.chaos;

import org.jspecify.annotations.NullMarked;
