package org.braid.code;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Erasure patterns for tests of codes. */
final class TestCodes {
  private TestCodes() {}

  /** All subsets of 0..n-1. */
  static void subsets(int n, Consumer<List<Integer>> visitor) {
    for (int bits = 0; bits < 1 << n; bits++) {
      visitor.accept(BitSet.valueOf(new long[] {bits}).stream().boxed().toList());
    }
  }

  /** A random subset of 0..n-1, in random order. */
  static List<Integer> subset(Random random, int n, int size) {
    List<Integer> all = new ArrayList<>(IntStream.range(0, n).boxed().toList());
    Collections.shuffle(all, random);
    return List.copyOf(all.subList(0, size));
  }

  /** The blocks of a stripe without some. */
  static List<Integer> without(ErasureCode code, List<Integer> lost) {
    return IntStream.range(0, code.n()).filter(b -> !lost.contains(b)).boxed().toList();
  }

  /** The rank of the blocks' rows: full exactly when they determine the whole stripe. */
  static int rank(ErasureCode code, List<Integer> blocks) {
    int[] rows =
        blocks.stream()
            .flatMapToInt(b -> IntStream.range(b * code.alpha(), b * code.alpha() + code.alpha()))
            .toArray();
    return code.generator().select(rows).rank();
  }
}
