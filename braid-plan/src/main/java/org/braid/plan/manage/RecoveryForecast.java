package org.braid.plan.manage;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.braid.plan.cost.Network;
import org.braid.plan.cost.PlanCost;
import org.braid.plan.schedule.ClusterSnapshot;
import org.braid.plan.schedule.LinkLoad;
import org.braid.plan.schedule.RepairScheduler;
import org.braid.plan.schedule.ScheduledRepair;

/**
 * Predicts how long the repairs of a manager's queue take, by a model of flows. Running repairs
 * share each link in proportion to their load on it, so that no link exceeds its rate. No repair is
 * faster than it would be alone ({@link PlanCost#seconds}).
 *
 * @param repairs in the order of their ends
 * @param seconds until the last repair ends
 */
public record RecoveryForecast(List<Timed> repairs, double seconds) {
  public RecoveryForecast {
    repairs = List.copyOf(repairs);
  }

  /** A repair and when it ran, in seconds. */
  public record Timed(RepairJob job, double start, double end) {}

  /** A running repair; {@code left} is the part that remains, 1 at the start. */
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
   * @param planning the manager's planner and network
   */
  public static RecoveryForecast of(
      RepairManager manager, ClusterSnapshot cluster, RepairScheduler.PlanSettings planning) {
    List<Timed> ended = new ArrayList<>();
    Map<RepairJob, Flow> flows = new LinkedHashMap<>();
    LinkLoad load = new LinkLoad(cluster.topology(), planning.network());
    double now = 0;
    while (true) {
      for (RepairJob job : manager.start(Math.round(now * 1000))) {
        LinkLoad.Share share = load.of(job.repair());
        load.add(share);
        flows.put(job, new Flow(now, share, alone(job.repair(), planning)));
      }
      if (flows.isEmpty()) {
        OptionalLong wake = manager.wake(Math.round(now * 1000));
        if (wake.isEmpty() || manager.waiting().isEmpty()) {
          return new RecoveryForecast(ended, now);
        }
        now = Math.max(now, wake.getAsLong() / 1000.0);
        continue;
      }
      now = advance(manager, flows, load, now, ended);
    }
  }

  private static double advance(
      RepairManager manager,
      Map<RepairJob, Flow> flows,
      LinkLoad load,
      double now,
      List<Timed> ended) {
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
    for (Map.Entry<RepairJob, Flow> entry : List.copyOf(flows.entrySet())) {
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

  private static double alone(ScheduledRepair repair, RepairScheduler.PlanSettings planning) {
    Network network = planning.of(repair.stripe());
    int alpha = repair.stripe().code().alpha();
    return repair.plans().stream()
        .mapToDouble(plan -> PlanCost.of(plan, alpha, network).seconds())
        .sum();
  }
}
