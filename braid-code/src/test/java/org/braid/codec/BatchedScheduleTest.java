package org.braid.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.braid.code.Codes;
import org.braid.code.Equation;
import org.braid.code.ErasureCode;
import org.braid.code.Gf256;
import org.braid.code.Schedule;
import org.braid.code.SubBlock;
import org.braid.code.Term;
import org.braid.kernel.Kernels;
import org.braid.kernel.PipelineStage;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

/** Batched steps compute the same as single steps, and batching saves time. */
final class BatchedScheduleTest {
  private static final ErasureCode CODE = Codes.named("rs-10-4");
  private final Random random = Seeds.random(BatchedScheduleTest.class);

  private static Equation step(int target, int... sourcesAndCoefficients) {
    List<Term> terms = new ArrayList<>();
    for (int i = 0; i < sourcesAndCoefficients.length; i += 2) {
      terms.add(
          new Term(new SubBlock(sourcesAndCoefficients[i], 0), sourcesAndCoefficients[i + 1]));
    }
    return new Equation(new SubBlock(target, 0), terms);
  }

  private static List<PipelineStage> stages(Equation... steps) {
    return BatchedSchedule.of(CODE, new Schedule("by hand", List.of(steps)));
  }

  @Test
  void reedSolomonIsOneMatrix() {
    List<PipelineStage> stages = BatchedSchedule.of(CODE, Schedule.generator(CODE));
    assertEquals(1, stages.size());
    assertEquals(
        CODE.generator().select(10, 11, 12, 13).toString(),
        stages.get(0).coefficients().toString());
    assertEquals(List.of(10, 11, 12, 13), stages.get(0).targets());
  }

  @Test
  void zerosAreWeighedAgainstReading() {
    // Nine of ten sources in common: two zeros are cheaper than nine more reads are dear.
    int[] ten = IntStream.range(0, 20).map(i -> i % 2 == 0 ? i / 2 : 2 + i).toArray();
    int[] nine = Arrays.copyOf(ten, 18);
    assertEquals(1, stages(step(10, ten), step(11, nine)).size());
    assertEquals(2, stages(step(10, 0, 2, 1, 3), step(11, 1, 2, 2, 3)).size());
    assertEquals(2, stages(step(10, 0, 2), step(11, 1, 2)).size());
  }

  @Test
  void sumsStayAlone() {
    List<PipelineStage> stages =
        stages(step(10, 0, 1, 1, 1), step(11, 0, 1, 1, 2), step(12, 0, 2, 1, 1));
    assertEquals(
        List.of(List.of(10), List.of(11, 12)),
        stages.stream().map(PipelineStage::targets).toList());
  }

  @Test
  void whatNeedsEachOtherIsNotJoined() {
    // 11 is made of the same sources as 10, but also of 10, by way of 12.
    List<PipelineStage> stages =
        stages(
            step(10, 0, 2, 1, 3, 2, 5),
            step(12, 10, 7),
            step(11, 0, 4, 1, 5, 2, 9, 12, 2),
            step(13, 0, 4, 1, 5, 2, 9));
    assertEquals(
        List.of(List.of(10, 13), List.of(12), List.of(11)),
        stages.stream().map(PipelineStage::targets).toList());
  }

  @Test
  void makingTwiceOrTooLateIsRefused() {
    assertEquals(
        "by hand makes " + new SubBlock(10, 0) + " after it was read or made",
        refused(step(10, 0, 1), step(10, 1, 1)));
    assertEquals(
        "by hand makes " + new SubBlock(10, 0) + " after it was read or made",
        refused(step(11, 10, 1), step(10, 1, 1)));
  }

  private static String refused(Equation... steps) {
    return String.valueOf(
        assertThrows(IllegalArgumentException.class, () -> stages(steps)).getMessage());
  }

  /** The code's blocks, and the schedule's scratch places after them. */
  private static int places(Schedule schedule) {
    IntStream targets = schedule.steps().stream().mapToInt(step -> step.target().block() + 1);
    return Math.max(CODE.n(), targets.max().orElse(0));
  }

  @Test
  void randomSchedulesComputeWhatTheirStepsSay() {
    for (int trial = 0; trial < 60; trial++) {
      Schedule schedule = randomSchedule();
      int length = 1 + random.nextInt(300);
      byte[][] values = new byte[places(schedule)][length];
      for (int i = 0; i < 10; i++) {
        random.nextBytes(values[i]);
      }
      ByteBuffer[] buffers = new ByteBuffer[CODE.n()];
      for (int i = 0; i < buffers.length; i++) {
        buffers[i] = ByteBuffer.allocate(length).put(0, values[i]);
      }
      for (Equation step : schedule.steps()) {
        byte[] target = values[step.target().block()];
        for (Term term : step.terms()) {
          for (int i = 0; i < length; i++) {
            int source = values[term.source().block()][i] & 0xff;
            target[i] ^= (byte) Gf256.multiply(term.coefficient(), source);
          }
        }
      }
      Program.of(CODE, schedule, trial % 2 == 0 ? Kernels.active() : Kernels.scalar())
          .run(buffers, length);
      for (int i = 0; i < buffers.length; i++) {
        assertArrayEquals(values[i], buffers[i].array(), "block " + i + " of " + schedule);
      }
    }
  }

  /** Scratch first and parity in between, from a few sources each that are often the same. */
  private Schedule randomSchedule() {
    List<Integer> known = new ArrayList<>(IntStream.range(0, 10).boxed().toList());
    List<Integer> targets =
        new ArrayList<>(IntStream.range(10, 14 + random.nextInt(20)).boxed().toList());
    Collections.shuffle(targets, random);
    List<Equation> steps = new ArrayList<>();
    for (int target : targets) {
      List<Integer> sources = new ArrayList<>(known.subList(0, 4 + random.nextInt(3)));
      sources.add(known.get(known.size() - 1));
      int bound = random.nextInt(4) == 0 ? 1 : 255; // sums among the products
      steps.add(
          new Equation(
              new SubBlock(target, 0),
              sources.stream()
                  .distinct()
                  .map(s -> new Term(new SubBlock(s, 0), 1 + random.nextInt(bound)))
                  .toList()));
      known.add(random.nextInt(known.size()), target);
    }
    return new Schedule("random", steps);
  }

  @Test
  void theCostCountsCallsNotTerms() {
    Schedule together = Schedule.generator(CODE);
    List<Equation> apart = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      // As many terms, but each step reads other sources.
      int first = i;
      apart.add(
          new Equation(
              new SubBlock(14 + i, 0),
              IntStream.range(0, 10)
                  .mapToObj(c -> new Term(new SubBlock(c == 9 ? 18 + first : c, 0), 2))
                  .toList()));
    }
    Schedule scattered = new Schedule("scattered", apart);
    assertEquals(together.terms(), scattered.terms());
    assertTrue(BatchedSchedule.cost(CODE, together) < BatchedSchedule.cost(CODE, scattered));
  }
}
