package org.braid.lab.work;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.WorkloadSettings;
import org.braid.experiment.text.Sizes;
import org.braid.hdfs.Braid;
import org.braid.hdfs.api.Traffic;
import org.braid.hdfs.testkit.lab.Command;

/** Limits how many bytes a second Braid moves in a trial; closing takes the limits back. */
final class TrialThrottle implements AutoCloseable {
  /** As in {@code cluster:4m,node:1m}; none: no limit. */
  static final Map<String, String> DEFAULTS = Map.of("throttle", "none");

  private static final String KEY = "throttle";
  private static final String CLUSTER = "cluster";

  private final TrialLab lab;
  private final Map<String, String> limits;

  private TrialThrottle(TrialLab lab, Map<String, String> limits) {
    this.lab = lab;
    this.limits = limits;
  }

  /** Sets the limits of a trial's settings. */
  static TrialThrottle set(TrialLab lab, WorkloadSettings settings)
      throws ExperimentException, InterruptedException {
    TrialThrottle throttle = new TrialThrottle(lab, limits(settings));
    if (!throttle.limits.isEmpty()) {
      lab.loader().call(new Command.Throttle(throttle.limits));
    }
    return throttle;
  }

  /** Refuses invalid settings. */
  static void check(WorkloadSettings settings) throws ExperimentException {
    limits(settings);
  }

  /** The limits by kind of link, each of which Braid can be set to. */
  static Map<String, String> limits(WorkloadSettings settings) throws ExperimentException {
    Map<String, String> limits = new LinkedHashMap<>();
    if (!settings.text(KEY).equals("none")) {
      for (String limit : settings.list(KEY)) {
        int colon = limit.indexOf(':');
        if (colon < 1) {
          throw settings.wrong(KEY, "\"" + limit + "\" is not of the form cluster:4m");
        }
        limits.put(limit.substring(0, colon), limit.substring(colon + 1));
      }
    }
    try {
      Braid.checkThrottle(limits);
      String cap = limits.get(CLUSTER);
      if (cap != null) {
        var unused = Sizes.parse(cap); // what a trial uses is told as a part of it
      }
    } catch (IllegalArgumentException e) {
      throw settings.wrong(KEY, String.valueOf(e.getMessage()));
    }
    return limits;
  }

  /**
   * The part of the cluster's limit that was used; empty without such a limit.
   *
   * @param seconds of the whole command
   */
  OptionalDouble used(Traffic moved, double seconds) {
    String cap = limits.get(CLUSTER);
    return cap == null
        ? OptionalDouble.empty()
        : OptionalDouble.of(
            (moved.crossRackBytes() + moved.inRackBytes()) / (Sizes.parse(cap) * seconds));
  }

  @Override
  public void close() throws ExperimentException {
    if (!limits.isEmpty()) {
      try {
        lab.loader().call(new Command.Throttle(Map.of()));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw ExperimentException.failed("interrupted while the throttle was taken back", e);
      }
    }
  }
}
