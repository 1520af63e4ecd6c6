package org.braid.hadooptests;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs what has no result yet, and again what differs, and says how far it is. */
final class Runner {
  private final Fork fork;
  private final Results results;
  private final Comparison comparison;
  private final PrintStream progress;
  private int done;

  Runner(Fork fork, Results results, Comparison comparison, PrintStream progress) {
    this.fork = fork;
    this.results = results;
    this.comparison = comparison;
    this.progress = progress;
  }

  /**
   * Runs each class once with each side.
   *
   * @param jobs processes at once
   */
  void runOnce(List<String> names, int jobs) throws IOException, InterruptedException {
    done = 0;
    ExecutorService pool = Executors.newFixedThreadPool(jobs);
    try {
      List<Future<?>> runs = new ArrayList<>();
      for (String name : names) {
        AtomicInteger sides = new AtomicInteger(Side.values().length);
        for (Side side : Side.values()) {
          runs.add(
              pool.submit(
                  () -> {
                    if (results.runs(name, side).isEmpty()) {
                      results.add(fork.run(name, side, Results.run(name, side, 0)), 0);
                    }
                    if (sides.decrementAndGet() == 0) {
                      report(name, names.size());
                    }
                    return null;
                  }));
        }
      }
      for (Future<?> run : runs) {
        run.get();
      }
    } catch (ExecutionException failed) {
      throw new IOException("a run could not be carried out: " + failed.getMessage(), failed);
    } finally {
      pool.shutdownNow();
      fork.close();
    }
  }

  /**
   * Runs the classes whose tests differ again, with each side, one process at a time.
   *
   * @param times how often, beside the first run
   */
  void repeat(List<String> names, int times) throws IOException, InterruptedException {
    for (String name : names) {
      List<Difference> found = differences(name);
      if (found.stream().noneMatch(each -> each.verdict() != Difference.Verdict.EXPECTED)) {
        continue;
      }
      for (int number = 1; number <= times; number++) {
        for (Side side : Side.values()) {
          if (results.runs(name, side).size() <= number) {
            progress.printf("again %s %s%n", name, side.label());
            results.add(fork.run(name, side, Results.run(name, side, number)), number);
          }
        }
      }
    }
  }

  /** What there is of these classes. */
  Report report(List<String> names) throws IOException {
    List<Report.Row> rows = new ArrayList<>();
    List<Difference> differences = new ArrayList<>();
    for (String name : names) {
      List<ClassRun> stock = results.runs(name, Side.STOCK);
      List<ClassRun> braid = results.runs(name, Side.BRAID);
      // Helpers are named as tests are.
      if (stock.isEmpty() || braid.isEmpty() || stock.get(0).tests().isEmpty()) {
        continue;
      }
      rows.add(new Report.Row(name, stock.get(0), braid.get(0)));
      differences.addAll(comparison.differences(stock, braid));
    }
    return new Report(rows, differences);
  }

  private List<Difference> differences(String name) throws IOException {
    return comparison.differences(results.runs(name, Side.STOCK), results.runs(name, Side.BRAID));
  }

  /** One line for each class that has run with both sides. */
  private synchronized void report(String name, int classes) throws IOException {
    List<ClassRun> stock = results.runs(name, Side.STOCK);
    List<ClassRun> braid = results.runs(name, Side.BRAID);
    done++;
    long differences =
        differences(name).stream()
            .filter(each -> each.verdict() != Difference.Verdict.EXPECTED)
            .count();
    progress.printf(
        "[%d/%d] %s  stock %s in %.0f s, braid %s in %.0f s%s%n",
        done,
        classes,
        name,
        Report.counts(stock.get(0)),
        stock.get(0).seconds(),
        Report.counts(braid.get(0)),
        braid.get(0).seconds(),
        differences == 0 ? "" : ", " + differences + " differ");
  }
}
