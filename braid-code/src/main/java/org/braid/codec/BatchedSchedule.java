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
import org.braid.kernel.PipelineStage;

/**
 * The steps of a schedule, joined into matrices where that saves time.
 *
 * <p>A matrix with several rows reads its sources once for several targets, but also multiplies by
 * its zeros. Steps with the same sources are therefore always joined, other steps if the zeros cost
 * less than reading the sources again. Plain sums are not joined, because kernels have faster
 * instructions for them. Steps that depend on each other, directly or indirectly, are never joined.
 */
final class BatchedSchedule {
  /**
   * Times to read a source, to multiply and add one, and to add one in a plain sum: nanoseconds per
   * KiB with ISA-L 2.30 on a processor with AVX-512. Only their ratios matter.
   */
  private static final double READ = 4;

  private static final double MULTIPLY = 18;

  private static final double ADD = 8;

  /** The fixed cost of a call, spread over a piece that fits into a cache. */
  private static final double CALL = 8;

  /** Targets that a kernel computes in one pass over the sources. */
  private static final int TARGETS_A_PASS = 6;

  private final ErasureCode code;
  private final List<Batch> batches = new ArrayList<>();

  /** Steps that become one matrix, and the numbers of all batches that must run before it. */
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
      return BatchedSchedule.cost(steps.size(), sources.cardinality(), sum);
    }
  }

  private BatchedSchedule(ErasureCode code) {
    this.code = code;
  }

  /**
   * The pipeline stages of a schedule; the place of sub-block s of block b is b*alpha+s.
   *
   * @throws IllegalArgumentException when a step overwrites what an earlier step read or computed
   */
  static List<PipelineStage> of(ErasureCode code, Schedule schedule) {
    return build(code, schedule).stages();
  }

  /** The estimated time of a schedule, in nanoseconds per KiB of each sub-block. */
  static double cost(ErasureCode code, Schedule schedule) {
    return build(code, schedule).batches.stream().mapToDouble(Batch::cost).sum();
  }

  private static BatchedSchedule build(ErasureCode code, Schedule schedule) {
    BatchedSchedule batches = new BatchedSchedule(code);
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

  /** Joins steps with the same sources, which cannot depend on each other. */
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

  /** Two batches and the time saved by joining them. */
  private record Pair(Batch first, Batch second, double saved) {}

  /** Joins the pair that saves most until no pair saves time. */
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
        continue; // Joins since then made one depend on the other.
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

  /** Adds the pairs of a batch that save time; only batches with common sources can. */
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

  /** Sorts by the number of batches before each one, so that a batch follows all it depends on. */
  private void order() {
    batches.sort(Comparator.comparingInt((Batch b) -> b.before.cardinality()));
  }

  private List<PipelineStage> stages() {
    return batches.stream().map(this::stage).toList();
  }

  private PipelineStage stage(Batch batch) {
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
    return new PipelineStage(
        Matrix.of(batch.steps.size(), width, values), List.copyOf(columns.keySet()), targets);
  }
}
