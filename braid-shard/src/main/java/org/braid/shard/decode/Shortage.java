package org.braid.shard.decode;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.braid.code.ErasureCode;

/** Says which blocks are missing when a set cannot be decoded. */
final class Shortage {
  private Shortage() {}

  /**
   * For example {@code 5 of the 9 shards of rs-6-3 are available, at least 1 more is needed, for
   * example 0}.
   *
   * @param lost the blocks that are not available; too many to decode
   */
  static String text(ErasureCode code, BitSet lost, String unit) {
    List<Integer> more = enough(code, lost);
    return "%d of the %d %s of %s are available, at least %d more %s needed, for example %s"
        .formatted(
            code.n() - lost.cardinality(),
            code.n(),
            unit,
            code.name(),
            more.size(),
            more.size() == 1 ? "is" : "are",
            more.stream().map(String::valueOf).collect(Collectors.joining(", ")));
  }

  /** Lost blocks that would suffice, chosen greedily by how much each one helps. */
  static List<Integer> enough(ErasureCode code, BitSet lost) {
    int full = code.k() * code.alpha();
    BitSet have = new BitSet();
    have.set(0, code.n());
    have.andNot(lost);
    BitSet open = (BitSet) lost.clone();
    List<Integer> more = new ArrayList<>();
    int rank = rank(code, have);
    while (rank < full) {
      int best = -1;
      int bestRank = rank;
      for (int b = open.nextSetBit(0); b >= 0; b = open.nextSetBit(b + 1)) {
        have.set(b);
        int with = rank(code, have);
        have.clear(b);
        if (with > bestRank) {
          best = b;
          bestRank = with;
        }
        if (with == rank + code.alpha()) {
          break;
        }
      }
      // All blocks together have full rank, so some block always helps.
      have.set(best);
      open.clear(best);
      more.add(best);
      rank = bestRank;
    }
    return more;
  }

  private static int rank(ErasureCode code, BitSet blocks) {
    int[] rows =
        blocks.stream()
            .flatMap(b -> IntStream.range(b * code.alpha(), (b + 1) * code.alpha()))
            .toArray();
    return code.generator().select(rows).rank();
  }
}
