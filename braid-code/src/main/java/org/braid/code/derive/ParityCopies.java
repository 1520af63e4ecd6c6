package org.braid.code.derive;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.braid.code.ErasureCode;
import org.braid.code.LocalGroup;
import org.braid.code.Matrix;
import org.braid.code.NamedCode;
import org.braid.code.Promise;
import org.braid.code.SubBlock;

/**
 * A code with replicated parity, so that more repairs find a parity block nearby (Geo-MXOR §V-C and
 * table II). A copy is one more block with the same row of the matrix, so decoding, placement and
 * repair handle copies like any other block. The copies follow the original stripe: all second
 * copies, then all third ones. The code is not in the registry. It makes the promises of the
 * original code. It may survive more losses where the fatal ones include all parities of a data
 * block; {@link Tolerance} derives how many.
 */
public final class ParityCopies extends NamedCode {
  private final ErasureCode code;
  private final int copies;
  private final List<LocalGroup> groups;

  /**
   * A code with replicated parity.
   *
   * @param copies copies of each parity block, at least 1
   * @throws IllegalArgumentException when copies are below 1
   */
  public ParityCopies(ErasureCode code, int copies) {
    super(name(code.name(), copies), code.alpha(), generator(code, copies));
    this.code = code;
    this.copies = copies;
    groups = List.copyOf(groups(code, copies));
  }

  /** The name of a code with a number of copies of each parity block. */
  public static String name(String code, int copies) {
    return copies == 1 ? code : code + ", parity x" + copies;
  }

  /** The code that stores each parity block once. */
  public static ErasureCode original(ErasureCode code) {
    return code instanceof ParityCopies copied ? copied.code : code;
  }

  /** The copies of each parity block of a code. */
  public static int of(ErasureCode code) {
    return code instanceof ParityCopies copied ? copied.copies : 1;
  }

  private static Matrix generator(ErasureCode code, int copies) {
    if (copies < 1) {
      throw new IllegalArgumentException(
          copies + " copies of each parity block: at least 1 is needed");
    }
    int width = code.k() * code.alpha();
    int parity = code.m() * code.alpha();
    return code.generator()
        .select(
            IntStream.range(0, width + copies * parity)
                .map(row -> row < width ? row : width + (row - width) % parity)
                .toArray());
  }

  /** The original local groups, the same with each set of copies, and the copies of each parity. */
  private static List<LocalGroup> groups(ErasureCode code, int copies) {
    List<LocalGroup> groups = new ArrayList<>(code.groups());
    for (int copy = 1; copy < copies; copy++) {
      int behind = copy * code.m();
      for (LocalGroup group : code.groups()) {
        if (group.blocks().stream().anyMatch(block -> block >= code.k())) {
          groups.add(
              new LocalGroup(
                  group.name() + ", copy " + (copy + 1),
                  group.blocks().stream().map(b -> b < code.k() ? b : b + behind).toList(),
                  group.losses()));
        }
      }
    }
    for (int parity = 0; copies > 1 && parity < code.m(); parity++) {
      groups.add(
          new LocalGroup(
              "copies of parity " + parity, copies(code, copies, code.k() + parity), copies - 1));
    }
    return groups;
  }

  private static List<Integer> copies(ErasureCode code, int copies, int block) {
    int first = code.k() + (block - code.k()) % code.m();
    return IntStream.range(0, copies).mapToObj(copy -> first + copy * code.m()).toList();
  }

  /** The positions of all copies of a block; a data block has only itself. */
  public List<Integer> copiesOf(int block) {
    return block < k() ? List.of(block) : copies(code, copies, block);
  }

  @Override
  public List<Promise> promises() {
    return code.promises();
  }

  @Override
  public List<LocalGroup> groups() {
    return groups;
  }

  @Override
  public List<List<SubBlock>> repairSets(Set<Integer> lost) {
    return lost.stream().allMatch(block -> block < code.n()) ? code.repairSets(lost) : List.of();
  }
}
