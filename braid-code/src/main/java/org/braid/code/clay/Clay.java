package org.braid.code.clay;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.braid.code.CodeFamily;
import org.braid.code.ErasureCode;
import org.braid.code.Matrix;
import org.braid.code.Promise;
import org.braid.code.Promises;
import org.braid.code.Schedule;
import org.braid.code.SubBlock;

/** A code of coupled layers; alpha is q^t. */
public final class Clay implements ErasureCode {
  /** Codes named {@code clay-K-M-D}. */
  public static final CodeFamily FAMILY =
      new CodeFamily(
          "clay",
          "clay-K-M-D",
          "Clay, repair of any block from D helpers with the least traffic there can be",
          "clay-4-2-5",
          text -> {
            int[] p = CodeFamily.numbers(text, 3);
            return new Clay(new ClaySettings(p[0], p[1], p[2]));
          });

  private final ClaySettings settings;
  private final Grid grid;
  private final Schedule schedule;
  private final Matrix generator;

  public Clay(ClaySettings settings) {
    this.settings = settings;
    this.grid = new Grid(settings);
    this.schedule = CoupledLayers.schedule(settings);
    this.generator = schedule.rows(settings.k() + settings.m(), settings.k(), settings.alpha());
  }

  /** The parameters. */
  public ClaySettings settings() {
    return settings;
  }

  @Override
  public String name() {
    return "clay-" + settings.k() + "-" + settings.m() + "-" + settings.d();
  }

  @Override
  public int n() {
    return settings.k() + settings.m();
  }

  @Override
  public int k() {
    return settings.k();
  }

  @Override
  public int alpha() {
    return settings.alpha();
  }

  @Override
  public Matrix generator() {
    return generator;
  }

  @Override
  public List<Promise> promises() {
    return List.of(Promises.any(n(), settings.m()));
  }

  @Override
  public List<Schedule> encodings() {
    return List.of(schedule);
  }

  /**
   * For one lost block, alpha / q sub-blocks of each of d helpers. When d is less than all others,
   * there is one set for each run of neighbours that is left out; the lost block's column is in all
   * of them. Nothing for several lost blocks.
   */
  @Override
  public List<List<SubBlock>> repairSets(Set<Integer> lost) {
    int block = lost.size() == 1 ? lost.iterator().next() : -1;
    if (block < 0 || block >= n()) {
      return List.of();
    }
    int node = grid.node(block);
    List<Integer> column = new ArrayList<>();
    List<Integer> others = new ArrayList<>();
    for (int b = 0; b < n(); b++) {
      if (b != block) {
        (grid.y(grid.node(b)) == grid.y(node) ? column : others).add(b);
      }
    }
    int leftOut = n() - 1 - settings.d();
    List<List<SubBlock>> sets = new ArrayList<>();
    for (int start = 0; start < (leftOut == 0 ? 1 : others.size()); start++) {
      List<Integer> helpers = new ArrayList<>(column);
      for (int i = 0; i < others.size() - leftOut; i++) {
        helpers.add(others.get((start + i) % others.size()));
      }
      sets.add(planes(helpers, node));
    }
    return List.copyOf(sets);
  }

  private List<SubBlock> planes(List<Integer> helpers, int lostNode) {
    int[] planes =
        IntStream.range(0, settings.alpha()).filter(z -> grid.isAlone(lostNode, z)).toArray();
    return helpers.stream()
        .sorted()
        .flatMap(b -> IntStream.of(planes).mapToObj(z -> new SubBlock(b, z)))
        .toList();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Clay code && settings.equals(code.settings);
  }

  @Override
  public int hashCode() {
    return settings.hashCode();
  }

  @Override
  public String toString() {
    return name();
  }
}
