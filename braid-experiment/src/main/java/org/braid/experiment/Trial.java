package org.braid.experiment;

import java.util.Map;

/**
 * One measurement: a system at a point, once.
 *
 * @param point the value of each axis
 * @param system which of the compared systems
 * @param repetition from 0
 * @param seed of all randomness of this trial; the same for all systems at a point in one
 *     repetition, so that they meet the same inputs
 * @param settings the settings of the workload: its defaults and those of the experiment, the
 *     system and the point
 */
public record Trial(
    Experiment experiment,
    Map<String, String> point,
    String system,
    int repetition,
    long seed,
    WorkloadSettings settings) {}
