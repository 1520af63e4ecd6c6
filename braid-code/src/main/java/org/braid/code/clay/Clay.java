package org.braid.code.clay;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.braid.code.CodeFamily;
import org.braid.code.NamedCode;
import org.braid.code.Promise;
import org.braid.code.Promises;
import org.braid.code.Schedule;
import org.braid.code.SubBlock;

/** A Clay (coupled-layer) code; alpha is q^t. */
public final class Clay extends NamedCode {
  /** Codes named {@code clay-K-M-D}. */
  public static final CodeFamily FAMILY =
      new CodeFamily(
          "clay",
          "clay-K-M-D",
          "Clay, repair of any block from D helpers with minimal traffic",
          "clay-4-2-5",
          "Clay Codes: Moulding MDS Codes to Yield an MSR Code",
          p -> ClaySettings.size(p[0], p[1], p[2]),
          CodeFamily.parameters(3, p -> new Clay(new ClaySettings(p[0], p[1], p[2]))));

  private final ClaySettings settings;
  private final ClayGrid grid;
  private final Schedule schedule;

  public Clay(ClaySettings settings) {
    this(settings, CoupledLayers.schedule(settings));
  }

  private Clay(ClaySettings settings, Schedule schedule) {
    super(
        "clay-" + settings.k() + "-" + settings.m() + "-" + settings.d(),
        settings.alpha(),
        schedule.rows(settings.k() + settings.m(), settings.k(), settings.alpha()));
    this.settings = settings;
    this.grid = new ClayGrid(settings);
    this.schedule = schedule;
  }

  @Override
  public List<Promise> promises() {
    return List.of(Promises.any(n(), m()));
  }

  @Override
  public List<Schedule> encodings() {
    return List.of(schedule);
  }

  /**
   * For each lost block alpha / q sub-blocks of d helpers, which include the other nodes of its
   * column. If d is less than n - 1, there is one set for each choice of contiguous helpers. Lost
   * blocks in different columns share reads. Empty when helpers are missing, or when k whole blocks
   * are not more to read.
   */
  @Override
  public List<List<SubBlock>> repairSets(Set<Integer> lost) {
    if (lost.isEmpty() || lost.stream().anyMatch(b -> b < 0 || b >= n())) {
      return List.of();
    }
    Set<List<SubBlock>> sets = new LinkedHashSet<>();
    for (int start = 0; start < n(); start++) {
      Set<SubBlock> reads = new TreeSet<>();
      for (int block : lost) {
        List<Integer> helpers = helpers(block, lost, start);
        if (helpers.isEmpty()) {
          return List.of();
        }
        addPlanes(helpers, grid.node(block), reads);
      }
      if (reads.size() < settings.k() * settings.alpha()) {
        sets.add(List.copyOf(reads));
      }
    }
    return List.copyOf(sets);
  }

  /** The d helpers of a lost block, in turn from a start on; empty when too few are left. */
  private List<Integer> helpers(int block, Set<Integer> lost, int start) {
    List<Integer> column = new ArrayList<>();
    List<Integer> others = new ArrayList<>();
    for (int b = 0; b < n(); b++) {
      if (b != block) {
        boolean near = grid.y(grid.node(b)) == grid.y(grid.node(block));
        (near ? column : others).add(b);
      }
    }
    others.removeAll(lost);
    int wanted = settings.d() - column.size();
    if (others.size() < wanted || column.stream().anyMatch(lost::contains)) {
      return List.of();
    }
    Collections.rotate(others, -start);
    List<Integer> helpers = new ArrayList<>(column);
    helpers.addAll(others.subList(0, wanted));
    return helpers;
  }

  private void addPlanes(List<Integer> helpers, int lostNode, Set<SubBlock> reads) {
    for (int plane = 0; plane < settings.alpha(); plane++) {
      if (grid.isAlone(lostNode, plane)) {
        for (int helper : helpers) {
          reads.add(new SubBlock(helper, plane));
        }
      }
    }
  }
}
