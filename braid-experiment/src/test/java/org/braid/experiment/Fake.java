package org.braid.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A workload whose figures follow from its settings, and which does what it is told to. */
public final class Fake implements Workload {
  /** What a trial does instead of giving figures. */
  public interface Act {
    Map<String, Double> run(Trial trial) throws ExperimentException, InterruptedException;
  }

  public final List<Trial> trials = new ArrayList<>();
  public Act act = Fake::figures;
  public Order order = Order.REPETITIONS;
  public Consumer<Trial> before = trial -> {};
  public int open;

  /** Seconds are blocks over the shape's speed; bytes are blocks. */
  public static Map<String, Double> figures(Trial trial) throws ExperimentException {
    double blocks = trial.settings().number("blocks", 0);
    double speed = trial.settings().text("shape").equals("fast") ? 4 : 1;
    double seconds = blocks / speed * (1 + 0.01 * trial.repetition());
    return Map.of("seconds", seconds, "bytes", blocks * trial.settings().size("size"));
  }

  /** An engine with this alone. */
  public Workloads workloads() {
    return new Workloads("sim", List.of(this));
  }

  @Override
  public String name() {
    return "repair";
  }

  @Override
  public String description() {
    return "repairs a block";
  }

  @Override
  public Map<String, String> defaults() {
    return Map.of("shape", "slow", "blocks", "8", "size", "1m", "rate", "100mbit", "code", "a");
  }

  @Override
  public List<Measure> measures() {
    return List.of(Measure.less("seconds", "s"), Measure.plain("bytes", "B"));
  }

  @Override
  public Order order() {
    return order;
  }

  @Override
  public void check(WorkloadSettings settings) throws ExperimentException {
    settings.rate("rate");
    settings.number("blocks", 0);
  }

  @Override
  public WorkloadSession open(Experiment experiment, RunProgress progress) {
    open++;
    return new WorkloadSession() {
      @Override
      public Map<String, Double> run(Trial trial) throws ExperimentException, InterruptedException {
        trials.add(trial);
        before.accept(trial);
        return act.run(trial);
      }

      @Override
      public void close() {
        open--;
      }
    };
  }
}
