package org.braid.hadooptests;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Runs the classes without a result, repeats those that differ, and reports progress. Several
 * classes run concurrently, but failures there do not count: the class then runs once more, alone.
 */
final class Runner {
  /** Most runs of a class whose port is in use. */
  static final int PORT_TRIES = 3;

  private final Forks forks;
  private final ResultFiles results;
  private final Comparison comparison;
  private final StockRuns stock;
  private final PrintStream progress;
  private final Set<String> finished = new HashSet<>();
  private int classes;
  private Listener listener = () -> {};

  /** Hears of new results. */
  @FunctionalInterface
  interface Listener {
    void changed() throws IOException;
  }

  Runner(
      Forks forks,
      ResultFiles results,
      Comparison comparison,
      StockRuns stock,
      PrintStream progress) {
    this.forks = forks;
    this.results = results;
    this.comparison = comparison;
    this.stock = stock;
    this.progress = progress;
  }

  /**
   * Runs each class with each side, and repeats those that differ, alone. Begins with the work that
   * an interrupted call left.
   *
   * @param jobs number of concurrent classes
   * @param repeat number of repeated runs of classes that differ
   * @param listener hears of each class with new results of both sides
   */
  void run(List<String> names, int jobs, int repeat, Listener listener)
      throws IOException, InterruptedException {
    classes = names.size();
    this.listener = listener;
    if (jobs > 1) {
      for (String name : names) {
        if (ran(name, TestedHdfs.BRAID)
            && (ran(name, TestedHdfs.STOCK) || isSpared(name, TestedHdfs.STOCK))) {
          settle(name, repeat);
        }
      }
      runBeside(names, jobs);
    }
    for (String name : names) {
      settle(name, repeat);
    }
  }

  private boolean ran(String name, TestedHdfs side) throws IOException {
    return counts(name, side) || results.beside(name, side).isPresent();
  }

  private boolean counts(String name, TestedHdfs side) throws IOException {
    return !results.runs(name, side).isEmpty();
  }

  /** Whether a class has not run with a side and need not. */
  private boolean isSpared(String name, TestedHdfs side) throws IOException {
    return side == TestedHdfs.STOCK && stock == StockRuns.NEEDED && hasNoStock(name);
  }

  /** Whether a class has run with Braid alone and need not run with stock HDFS. */
  private boolean hasNoStock(String name) throws IOException {
    return !ran(name, TestedHdfs.STOCK) && cannotDiffer(name);
  }

  /** Whether each test of a class passed with Braid, also concurrently with other classes. */
  private boolean cannotDiffer(String name) throws IOException {
    List<ClassRun> braid = results.runs(name, TestedHdfs.BRAID);
    return !braid.isEmpty()
        && braid.get(0).passed()
        && results.beside(name, TestedHdfs.BRAID).isEmpty();
  }

  /** Runs classes concurrently, but not the two sides of a class, which use the same ports. */
  private void runBeside(List<String> names, int jobs) throws IOException, InterruptedException {
    ExecutorService pool = Executors.newFixedThreadPool(jobs);
    try {
      List<Future<?>> runs = new ArrayList<>();
      for (String name : names) {
        runs.add(
            pool.submit(
                () -> {
                  boolean ran = false;
                  for (TestedHdfs side : stock.order()) {
                    ran |= runBeside(name, side);
                  }
                  if (counts(name, TestedHdfs.BRAID)
                      && (counts(name, TestedHdfs.STOCK) || isSpared(name, TestedHdfs.STOCK))) {
                    finish(name, ran);
                  }
                  return null;
                }));
      }
      for (Future<?> run : runs) {
        run.get();
      }
    } catch (ExecutionException failed) {
      throw new IOException("a run could not be carried out: " + failed.getMessage(), failed);
    } finally {
      pool.shutdownNow();
      pool.awaitTermination(1, TimeUnit.MINUTES);
    }
  }

  /**
   * Runs a class concurrently with others; returns false when it has run already or need not run.
   */
  private boolean runBeside(String name, TestedHdfs side) throws IOException, InterruptedException {
    if (ran(name, side) || isSpared(name, side)) {
      return false;
    }
    ClassRun run = forks.run(name, side, ResultFiles.besideRun(name, side));
    if (run.clean()) {
      results.add(run, 0);
    } else {
      results.addBeside(run);
      progress.printf("later alone: %s %s, %s%n", name, side.label(), run.trouble().orElse(""));
    }
    return true;
  }

  /** Runs a class alone as far as it has no results that count, or differs. */
  private void settle(String name, int repeat) throws IOException, InterruptedException {
    boolean ran = false;
    for (TestedHdfs side : stock.order()) {
      if (!counts(name, side) && !isSpared(name, side)) {
        runAlone(name, side, 0);
        ran = true;
      }
    }
    for (int number = 1; number <= repeat && differences(name) > 0; number++) {
      for (TestedHdfs side : TestedHdfs.values()) {
        if (results.runs(name, side).size() <= number) {
          progress.printf("again %s %s%n", name, side.label());
          runAlone(name, side, number);
          ran = true;
        }
      }
    }
    finish(name, ran);
  }

  private void runAlone(String name, TestedHdfs side, int number)
      throws IOException, InterruptedException {
    ClassRun run = forks.run(name, side, ResultFiles.run(name, side, number));
    for (int tries = 1; tries < PORT_TRIES && run.portTaken(); tries++) {
      progress.printf("again %s %s, %s%n", name, side.label(), run.trouble().orElse(""));
      run = forks.run(name, side, ResultFiles.run(name, side, number));
    }
    results.add(run, number);
  }

  /** The results of some classes. */
  Report report(List<String> names) throws IOException {
    List<Report.Row> rows = new ArrayList<>();
    List<Difference> differences = new ArrayList<>();
    List<String> uncompared = new ArrayList<>();
    for (String name : names) {
      List<ClassRun> plain = results.runs(name, TestedHdfs.STOCK);
      List<ClassRun> braid = results.runs(name, TestedHdfs.BRAID);
      boolean ran = !plain.isEmpty() && !braid.isEmpty();
      boolean compared = ran && (!plain.get(0).tests().isEmpty() || cannotDiffer(name));
      if (!compared && !hasNoStock(name)) {
        if (ran && !isHelper(plain.get(0), braid.get(0))) {
          uncompared.add(name);
        }
        continue;
      }
      rows.add(
          new Report.Row(
              name,
              plain.stream().findFirst().map(Outcome::of),
              Outcome.of(braid.get(0)),
              braid.get(0).commit()));
      differences.addAll(comparison.differences(plain, braid));
      if (results.beside(name, TestedHdfs.BRAID).isPresent()) {
        differences.addAll(
            comparison.beside(all(name, TestedHdfs.STOCK), all(name, TestedHdfs.BRAID)));
      }
    }
    return new Report(rows, differences, uncompared);
  }

  /** Whether a class is named as tests are, and has none: its processes end as they should. */
  private static boolean isHelper(ClassRun plain, ClassRun braid) {
    return plain.clean() && braid.clean();
  }

  /** The runs of a class, first the concurrent one. */
  private List<ClassRun> all(String name, TestedHdfs side) throws IOException {
    Optional<ClassRun> beside = results.beside(name, side);
    List<ClassRun> all = new ArrayList<>(beside.stream().toList());
    all.addAll(results.runs(name, side));
    return all;
  }

  private long differences(String name) throws IOException {
    return comparison
        .differences(results.runs(name, TestedHdfs.STOCK), results.runs(name, TestedHdfs.BRAID))
        .stream()
        .filter(each -> each.verdict() != Difference.Verdict.EXPECTED)
        .count();
  }

  /** One line for each class that has run as it was to. */
  private synchronized void finish(String name, boolean ran) throws IOException {
    if (finished.add(name)) {
      Optional<ClassRun> plain = results.runs(name, TestedHdfs.STOCK).stream().findFirst();
      ClassRun braid = results.runs(name, TestedHdfs.BRAID).get(0);
      long differences = differences(name);
      progress.printf(
          "[%d/%d] %s  %sbraid %s in %.0f s%s%n",
          finished.size(),
          classes,
          name,
          plain
              .map(
                  run ->
                      String.format(
                          "stock %s in %.0f s, ", Outcome.of(run).numbers(), run.seconds()))
              .orElse(""),
          Outcome.of(braid).numbers(),
          braid.seconds(),
          differences == 0 ? "" : ", " + differences + " differ");
    }
    if (ran) {
      listener.changed();
    }
  }
}
