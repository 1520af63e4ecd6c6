package org.braid.plan.manage;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.braid.plan.Network;
import org.braid.plan.PlanCost;

/**
 * How long the repairs of a manager's queue take, by a model of flows: those that run share each
 * link in proportion to what they put on it, so that a link is never above its rate, and none is
 * faster than it would be alone ({@link PlanCost#seconds}).
 *
 * @param repairs in the order they ended
 * @param seconds until the last has ended
 */
public record Forecast(List<Timed> repairs, double seconds) {
  public Forecast {
    repairs = List.copyOf(repairs);
  }

  /** A repair and when it ran, in seconds. */
  public record Timed(Job job, double start, double end) {}

  /** A repair that runs: how much of it is left, 1 at its start. */
  private static final class Flow {
    private final double start;
    private final LinkLoad.Share share;
    private final double alone;
    private double left = 1;
    private double speed;

    Flow(double start, LinkLoad.Share share, double alone) {
      this.start = start;
      this.share = share;
      this.alone = alone;
    }
  }

  /**
   * Runs a manager's queue to its end.
   *
   * @param shaping that of the manager
   */
  public static Forecast of(
      RepairManager manager, Servers servers, RepairScheduler.Shaping shaping) {
    List<Timed> ended = new ArrayList<>();
    Map<Job, Flow> flows = new LinkedHashMap<>();
    LinkLoad load = new LinkLoad(servers.topology(), shaping.network());
    double now = 0;
    while (true) {
      for (Job job : manager.start(Math.round(now * 1000))) {
        LinkLoad.Share share = load.of(job.assignment());
        load.add(share);
        flows.put(job, new Flow(now, share, alone(job.assignment(), shaping)));
      }
      if (flows.isEmpty()) {
        OptionalLong wake = manager.wake(Math.round(now * 1000));
        if (wake.isEmpty() || manager.waiting().isEmpty()) {
          return new Forecast(ended, now);
        }
        now = Math.max(now, wake.getAsLong() / 1000.0);
        continue;
      }
      now = advance(manager, flows, load, now, ended);
    }
  }

  private static double advance(
      RepairManager manager, Map<Job, Flow> flows, LinkLoad load, double now, List<Timed> ended) {
    double step = Double.POSITIVE_INFINITY;
    for (Flow flow : flows.values()) {
      double time = flow.alone;
      for (int link : flow.share.links()) {
        time = Math.max(time, load.seconds(link));
      }
      flow.speed = time > 0 ? 1 / time : Double.POSITIVE_INFINITY;
      step = Math.min(step, flow.left / flow.speed);
    }
    double end = now + step;
    for (Map.Entry<Job, Flow> entry : List.copyOf(flows.entrySet())) {
      Flow flow = entry.getValue();
      flow.left -= step * flow.speed;
      if (!(flow.left > 1e-9)) {
        flows.remove(entry.getKey());
        load.remove(flow.share);
        manager.done(entry.getKey());
        ended.add(new Timed(entry.getKey(), flow.start, end));
      }
    }
    return end;
  }

  private static double alone(Assignment assignment, RepairScheduler.Shaping shaping) {
    Network network = shaping.of(assignment.stripe());
    int alpha = assignment.stripe().code().alpha();
    return assignment.plans().stream()
        .mapToDouble(plan -> PlanCost.of(plan, alpha, network).seconds())
        .sum();
  }
}
