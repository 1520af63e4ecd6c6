package org.braid.code.derive;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.braid.code.ErasureCode;
import org.braid.code.Matrix;
import org.braid.code.Promise;
import org.braid.code.Promises;
import org.braid.code.Schedule;
import org.braid.code.Solver;
import org.braid.code.SubBlock;

/**
 * The verification of a code's promises and statements against its matrix.
 *
 * @param code the code's name
 * @param promises a result for each promise, in the code's order
 * @param checks the results of all other checks
 */
public record Verification(String code, List<PromiseResult> promises, List<Check> checks) {
  /** The most failures that a result lists. */
  public static final int SHOWN = 5;

  public Verification {
    promises = List.copyOf(promises);
    checks = List.copyOf(checks);
  }

  /**
   * The extent of a verification.
   *
   * @param limit the most patterns tried for a promise, at least 1; if it has more, a random sample
   * @param seed seed of the samples
   */
  public record Options(long limit, long seed) {
    public static final Options DEFAULT = new Options(200_000, 1);

    public Options {
      if (limit < 1) {
        throw new IllegalArgumentException("limit = " + limit + ", at least 1 is needed");
      }
    }
  }

  /** Receives the progress of a verification. */
  @FunctionalInterface
  public interface Listener {
    void at(String promise, long done, long total);
  }

  /**
   * The result for a promise.
   *
   * @param text the promise
   * @param patterns number of its maximal patterns; {@link Long#MAX_VALUE} when it does not fit
   * @param checked number of patterns tried
   * @param exhaustive whether all patterns were tried
   * @param failed number of tried patterns that the code does not survive
   * @param failures the first of these patterns
   */
  public record PromiseResult(
      String text,
      long patterns,
      long checked,
      boolean exhaustive,
      long failed,
      List<List<Integer>> failures) {
    public PromiseResult {
      failures = List.copyOf(failures);
    }

    /** Whether at least one pattern was tried and none failed. */
    public boolean holds() {
      return failed == 0 && checked > 0;
    }

    /** The sample, if patterns were sampled and none failed. */
    public Optional<PatternSample> sample() {
      return exhaustive || failed > 0 ? Optional.empty() : Optional.of(new PatternSample(checked));
    }
  }

  /**
   * The result of another check.
   *
   * @param what the checked statement, for example {@code generator is systematic}
   * @param problem the violation, if any
   */
  public record Check(String what, Optional<String> problem) {}

  /** Verifies a code. */
  public static Verification of(ErasureCode code, Options options, Listener listener) {
    List<PromiseResult> promises = new ArrayList<>();
    for (Promise promise : code.promises()) {
      promises.add(promise(code, promise, options, listener));
    }
    List<Check> checks = new ArrayList<>();
    checks.add(new Check("the first k blocks are the data", systematic(code)));
    if (!code.encodings().isEmpty()) {
      checks.add(new Check("its " + names(code) + " encoding equals the matrix", schedules(code)));
    }
    if (!code.groups().isEmpty()) {
      checks.add(new Check("local groups repair themselves", groups(code, options, listener)));
    }
    sets(code).ifPresent(checks::add);
    return new Verification(code.name(), promises, checks);
  }

  /** Whether all promises and checks hold. */
  public boolean holds() {
    return promises.stream().allMatch(PromiseResult::holds)
        && checks.stream().allMatch(c -> c.problem().isEmpty());
  }

  private static PromiseResult promise(
      ErasureCode code, Promise promise, Options options, Listener listener) {
    boolean exhaustive = promise.patterns() <= options.limit();
    long total = exhaustive ? promise.patterns() : options.limit();
    var count = new Count(code, promise, total, listener);
    if (exhaustive) {
      promise.each(
          lost -> {
            count.check(lost);
            return true;
          });
    } else {
      Random random = new Random(options.seed());
      for (long i = 0; i < total; i++) {
        count.check(promise.sample(random));
      }
    }
    return new PromiseResult(
        promise.text(),
        promise.patterns(),
        count.checked,
        exhaustive,
        count.failed,
        count.failures);
  }

  /** Tries patterns and counts failures. */
  private static final class Count {
    private static final int STEP = 256;

    private final ErasureCode code;
    private final Promise promise;
    private final long total;
    private final Listener listener;
    private final List<List<Integer>> failures = new ArrayList<>();
    private long checked;
    private long failed;

    Count(ErasureCode code, Promise promise, long total, Listener listener) {
      this.code = code;
      this.promise = promise;
      this.total = total;
      this.listener = listener;
    }

    void check(List<Integer> lost) {
      if (!promise.holds(code, lost)) {
        failed++;
        if (failures.size() < SHOWN) {
          failures.add(List.copyOf(lost));
        }
      }
      checked++;
      if (checked % STEP == 0 || checked == total) {
        listener.at(promise.text(), checked, total);
      }
    }
  }

  private static Optional<String> systematic(ErasureCode code) {
    Matrix generator = code.generator();
    int width = code.k() * code.alpha();
    if (generator.rows() != code.n() * code.alpha() || generator.columns() != width) {
      return Optional.of(
          "the matrix is %d x %d, not %d x %d"
              .formatted(generator.rows(), generator.columns(), code.n() * code.alpha(), width));
    }
    return generator.select(IntStream.range(0, width).toArray()).equals(Matrix.identity(width))
        ? Optional.empty()
        : Optional.of("the first " + width + " rows are not the identity");
  }

  private static String names(ErasureCode code) {
    return String.join(", ", code.encodings().stream().map(Schedule::name).toList());
  }

  private static Optional<String> schedules(ErasureCode code) {
    for (Schedule schedule : code.encodings()) {
      try {
        if (!schedule.rows(code).equals(code.generator())) {
          return Optional.of(schedule.name() + " makes other parity");
        }
      } catch (IllegalArgumentException e) {
        return Optional.ofNullable(e.getMessage());
      }
    }
    return Optional.empty();
  }

  private static Optional<String> groups(ErasureCode code, Options options, Listener listener) {
    PromiseResult result =
        promise(code, Promises.withinGroups("local groups", code.groups()), options, listener);
    return result.holds()
        ? Optional.empty()
        : Optional.of(
            "%d of %d losses are not repaired, for example %s"
                .formatted(result.failed(), result.checked(), result.failures().get(0)));
  }

  /** Checks that the repair sets of single blocks suffice; empty when the code has none. */
  private static Optional<Check> sets(ErasureCode code) {
    int found = 0;
    Optional<String> problem = Optional.empty();
    for (int lost = 0; lost < code.n(); lost++) {
      int block = lost;
      List<SubBlock> wanted = Solver.subBlocks(code, List.of(block));
      for (List<SubBlock> set : code.repairSets(new TreeSet<>(List.of(lost)))) {
        found++;
        boolean good =
            set.stream().noneMatch(s -> s.block() == block)
                && Solver.solveSubBlocks(code, wanted, set).isPresent();
        if (!good && problem.isEmpty()) {
          problem = Optional.of("block " + lost + " is not rebuilt from " + set);
        }
      }
    }
    return found == 0
        ? Optional.empty()
        : Optional.of(new Check(found + " repair sets of single blocks suffice", problem));
  }
}
