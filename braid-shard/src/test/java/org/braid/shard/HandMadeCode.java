package org.braid.shard;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.braid.code.LocalGroup;
import org.braid.code.Matrix;
import org.braid.code.NamedCode;
import org.braid.code.Promise;
import org.braid.code.Promises;

/** A code of a test that is not in the registry. */
final class HandMadeCode extends NamedCode {
  private final List<LocalGroup> groups;
  private final Optional<List<Integer>> racks;

  /** Parity rows under the identity. */
  HandMadeCode(
      String name,
      int alpha,
      List<LocalGroup> groups,
      Optional<List<Integer>> racks,
      int[]... parity) {
    super(name, alpha, generator(parity));
    this.groups = groups;
    this.racks = racks;
  }

  private static Matrix generator(int[]... parity) {
    int width = parity[0].length;
    IntStream identity = IntStream.range(0, width * width).map(i -> i / width == i % width ? 1 : 0);
    int[] values =
        IntStream.concat(
                identity, IntStream.range(0, parity.length).flatMap(r -> IntStream.of(parity[r])))
            .toArray();
    return Matrix.of(width + parity.length, width, values);
  }

  @Override
  public List<Promise> promises() {
    return List.of(Promises.any(n(), 1));
  }

  @Override
  public List<LocalGroup> groups() {
    return groups;
  }

  @Override
  public Optional<List<Integer>> racks() {
    return racks;
  }
}
