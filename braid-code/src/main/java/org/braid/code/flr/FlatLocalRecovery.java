package org.braid.code.flr;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.braid.code.CodeFamily;
import org.braid.code.LocalGroup;
import org.braid.code.Matrix;
import org.braid.code.NamedCode;
import org.braid.code.Promise;
import org.braid.code.Promises;
import org.braid.code.StripeSize;
import org.braid.code.rs.ReedSolomon;
import org.braid.code.rs.RsSettings;

/** A pyramid code with one block in each rack; alpha is 1. */
public final class FlatLocalRecovery extends NamedCode {
  /** Codes named {@code flr-nN-gG-lL}. */
  public static final CodeFamily FAMILY =
      new CodeFamily(
          "flr",
          "flr-nN-gG-lL",
          "Flat local recovery, N blocks in N racks, L local and G global parities",
          "flr-n14-g4-l2",
          "R-STAIR §V-A",
          p -> StripeSize.of(p[0], 1),
          text -> {
            int[] p = CodeFamily.labelled(text, "n", "g", "l");
            return new FlatLocalRecovery(new FlrSettings(p[0], p[1], p[2]));
          });

  private final FlrSettings settings;
  private final List<LocalGroup> groups;

  public FlatLocalRecovery(FlrSettings settings) {
    super(
        "flr-n" + settings.n() + "-g" + settings.globals() + "-l" + settings.locals(),
        1,
        Matrix.systematic(parity(settings)));
    this.settings = settings;
    this.groups =
        IntStream.range(0, settings.locals())
            .mapToObj(
                g ->
                    LocalGroup.withParity(
                        "local " + g, settings.start(g), settings.start(g + 1), k() + g))
            .toList();
  }

  private static Matrix parity(FlrSettings settings) {
    int k = settings.k();
    Matrix mds = new ReedSolomon(new RsSettings(k, settings.globals())).generator();
    int[] values = new int[(settings.locals() + settings.globals()) * k];
    for (int group = 0; group < settings.locals(); group++) {
      Arrays.fill(
          values, group * k + settings.start(group), group * k + settings.start(group + 1), 1);
    }
    for (int g = 0; g < settings.globals(); g++) {
      System.arraycopy(mds.row(k + g), 0, values, (settings.locals() + g) * k, k);
    }
    return Matrix.of(settings.locals() + settings.globals(), k, values);
  }

  @Override
  public List<Promise> promises() {
    return List.of(
        Promises.any(n(), settings.globals() + 1),
        Promises.withinGroups("any 1 block of a group from that group", groups));
  }

  @Override
  public List<LocalGroup> groups() {
    return groups;
  }

  /** One block a rack: what "flat" means. */
  @Override
  public Optional<List<Integer>> racks() {
    return Optional.of(IntStream.range(0, n()).boxed().toList());
  }
}
