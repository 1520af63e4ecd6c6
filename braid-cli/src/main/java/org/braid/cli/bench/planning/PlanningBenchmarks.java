package org.braid.cli.bench.planning;

import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.regex.Pattern;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.openjdk.jmh.util.Statistics;

/**
 * Runs the benchmarks of this package, one at a time.
 *
 * @param progress verbosity of JMH on standard error
 */
record PlanningBenchmarks(Settings settings, VerboseMode progress) {
  /**
   * Sizes of the benchmarks.
   *
   * @param racks racks of the cluster
   * @param nodesPerRack nodes of each rack
   * @param blocks blocks to group
   * @param forks JVM processes for each benchmark; 0: this process
   * @param runs measured runs of a process, after equally many warm-up runs
   * @param seconds seconds a run
   * @param seed of all random choices
   */
  record Settings(
      int racks, int nodesPerRack, int blocks, int forks, int runs, double seconds, long seed) {
    int nodes() {
      return racks * nodesPerRack;
    }
  }

  /**
   * The result of a benchmark over all runs.
   *
   * @param low the lower quartile
   * @param high the upper quartile
   * @param runs measured runs
   * @param peakBytes peak bytes of the heap; 0 where not measured
   */
  record Measured(double median, double low, double high, long runs, long peakBytes) {}

  /** Plans of repairs a second. */
  Measured plans(String code, String shape) throws IOException {
    return run(RepairPlanBenchmark.class, Map.of("code", code, "shape", shape));
  }

  /** Microseconds to choose the targets of a block by {@code HDFS}'s or {@code BRAID}'s policy. */
  Measured targets(String policy) throws IOException {
    return run(TargetChoiceBenchmark.class, Map.of("policy", policy));
  }

  /** Seconds to group the blocks. */
  Measured groups() throws IOException {
    return run(GroupingBenchmark.class, Map.of("blocks", String.valueOf(settings.blocks())));
  }

  private Measured run(Class<?> benchmark, Map<String, String> parameters) throws IOException {
    TimeValue time = TimeValue.microseconds(Math.round(settings.seconds() * 1e6));
    var options =
        new OptionsBuilder()
            .include(Pattern.quote(benchmark.getName() + "."))
            .param("racks", String.valueOf(settings.racks()))
            .param("nodesPerRack", String.valueOf(settings.nodesPerRack()))
            .param("seed", String.valueOf(settings.seed()))
            .forks(settings.forks())
            .warmupIterations(settings.runs())
            .warmupTime(time)
            .measurementIterations(settings.runs())
            .measurementTime(time)
            .threads(1)
            // What is logged is part of the time: in the processes as little as in this one.
            .jvmArgsAppend(logging("braid.log.hadoop"), logging("braid.log.braid"))
            .shouldFailOnError(true);
    parameters.forEach(options::param);
    var format = OutputFormatFactory.createFormatInstance(System.err, progress);
    Collection<RunResult> results;
    try {
      results = new Runner(options.build(), format).run();
    } catch (RunnerException e) {
      throw new IOException(
          "the benchmark %s of %s failed, --verbose tells more: %s"
              .formatted(benchmark.getSimpleName(), parameters, e.getMessage()),
          e);
    }
    if (results.size() != 1) {
      throw new IllegalStateException(
          "%d results of %s with %s".formatted(results.size(), benchmark, parameters));
    }
    return measured(results.iterator().next());
  }

  private static String logging(String property) {
    return "-D" + property + "=" + System.getProperty(property, "ERROR");
  }

  private static Measured measured(RunResult result) {
    Statistics values = result.getPrimaryResult().getStatistics();
    Result<?> peak = result.getSecondaryResults().get("peakBytes");
    return new Measured(
        values.getPercentile(50),
        values.getPercentile(25),
        values.getPercentile(75),
        values.getN(),
        peak == null ? 0 : (long) peak.getStatistics().getMax());
  }
}
