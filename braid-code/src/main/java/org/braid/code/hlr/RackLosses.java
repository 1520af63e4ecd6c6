package org.braid.code.hlr;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.braid.code.Promise;
import org.braid.code.Promises.Combinations;

/** Whole racks are lost and, in each other rack, as many blocks as its local parities. */
record RackLosses(HlrSettings settings) implements Promise {
  @Override
  public String text() {
    return "any "
        + settings.globals()
        + (settings.globals() == 1 ? " whole rack and any " : " whole racks and any ")
        + settings.locals()
        + " of each other rack";
  }

  private Combinations wholeRacks() {
    return new Combinations(settings.n(), settings.globals());
  }

  @Override
  public long patterns() {
    long count = wholeRacks().count();
    for (int rack = 0; rack < settings.dataRacks(); rack++) {
      long factor = new Combinations(settings.r(), settings.locals()).count();
      if (count > Long.MAX_VALUE / factor) {
        return Long.MAX_VALUE;
      }
      count *= factor;
    }
    return count;
  }

  @Override
  public void each(Predicate<List<Integer>> visitor) {
    wholeRacks().each(whole -> extend(new ArrayList<>(), whole, visitor));
  }

  /** Goes through the losses of the next rack; false when the visitor has said no. */
  private boolean extend(
      List<List<Integer>> rows, List<Integer> whole, Predicate<List<Integer>> visitor) {
    int rack = rows.size();
    if (rack == settings.n()) {
      return visitor.test(blocks(rows));
    }
    boolean[] going = new boolean[1];
    choices(rack, whole)
        .each(
            lost -> {
              rows.add(lost);
              going[0] = extend(rows, whole, visitor);
              rows.remove(rack);
              return going[0];
            });
    return going[0];
  }

  /** The rows that a rack can lose: all, or as many as it has local parities. */
  private Combinations choices(int rack, List<Integer> whole) {
    return whole.contains(rack)
        ? new Combinations(settings.r(), settings.r())
        : new Combinations(settings.r(), settings.locals());
  }

  @Override
  public List<Integer> sample(RandomGenerator random) {
    List<Integer> whole = wholeRacks().sample(random);
    return blocks(
        IntStream.range(0, settings.n())
            .mapToObj(rack -> choices(rack, whole).sample(random))
            .toList());
  }

  private List<Integer> blocks(List<List<Integer>> rowsByRack) {
    return IntStream.range(0, settings.n())
        .flatMap(rack -> rowsByRack.get(rack).stream().mapToInt(row -> settings.block(row, rack)))
        .sorted()
        .boxed()
        .toList();
  }
}
