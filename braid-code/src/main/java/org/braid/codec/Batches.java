package org.braid.codec;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.braid.code.Equation;
import org.braid.code.ErasureCode;
import org.braid.code.Matrix;
import org.braid.code.Schedule;
import org.braid.code.Term;
import org.braid.kernel.Stage;

/**
 * Joins the steps of a schedule into as few matrices as pay off.
 *
 * <p>A matrix of several rows reads its sources once for several targets, but multiplies by its
 * zeros too. Steps with the same sources therefore always belong together, others when the zeros
 * cost less than the reading. Plain sums stay alone, as kernels have faster instructions for them.
 * Steps that need each other's results, directly or not, are never joined.
 */
final class Batches {
  /**
   * Time to read a source, to multiply and add one, and to add one in a plain sum: nanoseconds a
   * KiB with ISA-L 2.30 on a processor with AVX-512. Only their proportions matter.
   */
  private static final double READ = 4;

  private static final double MULTIPLY = 18;

  private static final double ADD = 8;

  /** What each call costs beyond that, spread over a piece that fits a cache. */
  private static final double CALL = 8;

  /** So many targets are made while the sources are read once. */
  private static final int TARGETS_A_PASS = 6;

  private final ErasureCode code;
  private final List<Batch> batches = new ArrayList<>();

  /** Steps that become one matrix, and the numbers of all batches that must run before. */
  private static final class Batch {
    final int number;
    final List<Equation> steps = new ArrayList<>();
    final BitSet sources = new BitSet();
    final BitSet before = new BitSet();
    boolean sum;

    Batch(int number) {
      this.number = number;
    }

    boolean needs(Batch other) {
      return before.get(other.number);
    }

    double cost() {
      return Batches.cost(steps.size(), sources.cardinality(), sum);
    }
  }

  private Batches(ErasureCode code) {
    this.code = code;
  }

  /**
   * The schedule as stages; places are sub-blocks by number b*alpha+s.
   *
   * @throws IllegalArgumentException when a step makes what was read or made before it
   */
  static List<Stage> of(ErasureCode code, Schedule schedule) {
    return build(code, schedule).stages();
  }

  /** An estimate of the time the schedule takes, in nanoseconds a KiB of each sub-block. */
  static double cost(ErasureCode code, Schedule schedule) {
    return build(code, schedule).batches.stream().mapToDouble(Batch::cost).sum();
  }

  private static Batches build(ErasureCode code, Schedule schedule) {
    Batches batches = new Batches(code);
    batches.sameSources(schedule);
    batches.join();
    batches.order();
    return batches;
  }

  private static double cost(int rows, int columns, boolean sum) {
    if (sum) {
      return CALL + ADD * columns;
    }
    int passes = (rows + TARGETS_A_PASS - 1) / TARGETS_A_PASS;
    return CALL * passes + columns * (READ * passes + MULTIPLY * rows);
  }

  /** Steps with the same sources become one batch right away: they cannot need each other. */
  private void sameSources(Schedule schedule) {
    Map<BitSet, Batch> bySources = new HashMap<>();
    Map<Integer, Batch> maker = new HashMap<>();
    BitSet read = new BitSet();
    for (Equation step : schedule.steps()) {
      BitSet sources = new BitSet();
      step.terms().forEach(t -> sources.set(code.row(t.source())));
      int target = code.row(step.target());
      read.or(sources);
      boolean sum =
          step.terms().size() > 1 && step.terms().stream().allMatch(t -> t.coefficient() == 1);
      Batch batch = sum ? null : bySources.get(sources);
      if (batch == null) {
        batch = new Batch(batches.size());
        batch.sum = sum;
        batch.sources.or(sources);
        for (int source : sources.stream().toArray()) {
          Batch from = maker.get(source);
          if (from != null) {
            batch.before.set(from.number);
            batch.before.or(from.before);
          }
        }
        batches.add(batch);
        if (!sum) {
          bySources.put(sources, batch);
        }
      }
      if (read.get(target) || maker.put(target, batch) != null) {
        throw new IllegalArgumentException(
            schedule.name() + " makes " + step.target() + " after it was read or made");
      }
      batch.steps.add(step);
    }
  }

  /** Two batches and what it would save to join them. */
  private record Pair(Batch first, Batch second, double saved) {}

  /** Joins the pair that saves most, again and again. */
  private void join() {
    Map<Integer, List<Batch>> readers = new HashMap<>();
    List<Pair> pairs = new ArrayList<>();
    for (Batch batch : batches) {
      pairs(batch, readers, pairs);
      batch.sources.stream()
          .forEach(s -> readers.computeIfAbsent(s, any -> new ArrayList<>()).add(batch));
    }
    while (!pairs.isEmpty()) {
      Pair best = Collections.max(pairs, Comparator.comparingDouble(Pair::saved));
      pairs.remove(best);
      if (best.first.needs(best.second) || best.second.needs(best.first)) {
        continue; // since other batches were joined
      }
      Batch kept = best.first;
      Batch gone = best.second;
      for (Batch batch : List.of(kept, gone)) {
        pairs.removeIf(p -> p.first == batch || p.second == batch);
        batch.sources.stream().forEach(s -> readers.getOrDefault(s, List.of()).remove(batch));
      }
      merge(kept, gone);
      pairs(kept, readers, pairs);
      kept.sources.stream()
          .forEach(s -> readers.computeIfAbsent(s, any -> new ArrayList<>()).add(kept));
    }
  }

  /** Adds what pays off with a batch; that takes common sources, so only those are looked at. */
  private static void pairs(Batch batch, Map<Integer, List<Batch>> readers, List<Pair> pairs) {
    Map<Batch, Integer> common = new LinkedHashMap<>();
    batch.sources.stream()
        .forEach(
            s -> readers.getOrDefault(s, List.of()).forEach(b -> common.merge(b, 1, Integer::sum)));
    common.forEach(
        (other, count) -> {
          double saved = saved(other, batch, count);
          if (saved > 0 && !other.needs(batch) && !batch.needs(other)) {
            pairs.add(new Pair(other, batch, saved));
          }
        });
  }

  private static double saved(Batch a, Batch b, int common) {
    if (a.sum || b.sum) {
      return 0;
    }
    int rows = a.steps.size() + b.steps.size();
    int columns = a.sources.cardinality() + b.sources.cardinality() - common;
    return a.cost() + b.cost() - cost(rows, columns, false);
  }

  private void merge(Batch kept, Batch gone) {
    batches.remove(gone);
    kept.steps.addAll(gone.steps);
    kept.sources.or(gone.sources);
    kept.before.or(gone.before);
    for (Batch other : batches) {
      if (other.before.get(gone.number) || other.before.get(kept.number)) {
        other.before.clear(gone.number);
        other.before.set(kept.number);
        other.before.or(kept.before);
      }
    }
  }

  /** A batch comes after all it needs: those have fewer before them. */
  private void order() {
    batches.sort(Comparator.comparingInt((Batch b) -> b.before.cardinality()));
  }

  private List<Stage> stages() {
    return batches.stream().map(this::stage).toList();
  }

  private Stage stage(Batch batch) {
    Map<Integer, Integer> columns = new LinkedHashMap<>();
    batch.sources.stream().forEach(s -> columns.put(s, columns.size()));
    int width = columns.size();
    int[] values = new int[batch.steps.size() * width];
    List<Integer> targets = new ArrayList<>();
    for (Equation step : batch.steps) {
      int row = targets.size() * width;
      for (Term term : step.terms()) {
        Integer column = columns.get(code.row(term.source()));
        values[row + (column == null ? 0 : column)] ^= term.coefficient();
      }
      targets.add(code.row(step.target()));
    }
    return new Stage(
        Matrix.of(batch.steps.size(), width, values), List.copyOf(columns.keySet()), targets);
  }
}
