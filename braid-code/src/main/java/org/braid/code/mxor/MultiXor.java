package org.braid.code.mxor;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.braid.code.CodeFamily;
import org.braid.code.LocalGroup;
import org.braid.code.Matrix;
import org.braid.code.NamedCode;
import org.braid.code.Promise;
import org.braid.code.Promises;
import org.braid.code.StripeSize;

/** Vertical and horizontal XOR parities over two rows of data; alpha is 1. */
public final class MultiXor extends NamedCode {
  /** Codes named {@code mxor-K-P}. */
  public static final CodeFamily FAMILY =
      new CodeFamily(
          "mxor",
          "mxor-K-P",
          "Multi-XOR, K data in 2 rows and P = K/2 + 2 parities: vertical, then 2 horizontal",
          "mxor-10-7",
          "Geo-MXOR §V-A",
          p -> StripeSize.of(p[0] + p[1], 1),
          CodeFamily.parameters(2, p -> new MultiXor(new MxorSettings(p[0], p[1]))));

  private static final int ROWS = 2;

  /** The tolerance; the package's page explains it. */
  private static final int TOLERANCE = 2;

  private final MxorSettings settings;
  private final List<LocalGroup> columnGroups;
  private final List<LocalGroup> rowGroups;

  public MultiXor(MxorSettings settings) {
    super("mxor-" + settings.k() + "-" + settings.parities(), 1, generator(settings));
    this.settings = settings;
    int columns = settings.columns();
    this.columnGroups =
        IntStream.range(0, columns)
            .mapToObj(
                c -> new LocalGroup("column " + c, List.of(c, columns + c, 2 * columns + c), 1))
            .toList();
    this.rowGroups = IntStream.range(0, ROWS).mapToObj(this::row).toList();
  }

  /** Vertical parities come first, then horizontal ones. */
  private static Matrix generator(MxorSettings settings) {
    int k = settings.k();
    int columns = settings.columns();
    int[] values = new int[settings.parities() * k];
    for (int data = 0; data < k; data++) {
      values[data % columns * k + data] = 1;
      values[(columns + data / columns) * k + data] = 1;
    }
    return Matrix.systematic(Matrix.of(settings.parities(), k, values));
  }

  private LocalGroup row(int row) {
    int columns = settings.columns();
    return LocalGroup.withParity(
        "row " + row, row * columns, (row + 1) * columns, (ROWS + 1) * columns + row);
  }

  @Override
  public List<Promise> promises() {
    return List.of(
        Promises.any(n(), TOLERANCE),
        Promises.withinGroups("any 1 data or vertical parity block from 2 others", columnGroups),
        Promises.withinGroups(
            "any 1 data or horizontal parity block from " + settings.columns() + " others",
            rowGroups));
  }

  /** The columns, the rows, and the set of all parities, whose sum is zero. */
  @Override
  public List<LocalGroup> groups() {
    List<LocalGroup> groups = new ArrayList<>(columnGroups);
    groups.addAll(rowGroups);
    groups.add(new LocalGroup("parities", IntStream.range(k(), n()).boxed().toList(), 1));
    return List.copyOf(groups);
  }
}
