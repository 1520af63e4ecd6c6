package org.braid.code.lrc;

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

/** A local reconstruction code with XOR as local parity; alpha is 1. */
public final class LocalReconstruction extends NamedCode {
  /** Codes named {@code lrc-K-L-G}. */
  public static final CodeFamily FAMILY =
      new CodeFamily(
          "lrc",
          "lrc-K-L-G",
          "Local reconstruction, K data, L local XOR and G global parity blocks",
          "lrc-10-2-2",
          "Erasure Coding in Windows Azure Storage; EAR §3.5",
          p -> StripeSize.of(p[0] + p[1] + p[2], 1),
          CodeFamily.parameters(
              3, p -> new LocalReconstruction(new LrcSettings(p[0], p[1], p[2]))));

  private final LrcSettings settings;
  private final GlobalParities globals;

  public LocalReconstruction(LrcSettings settings) {
    this(settings, GlobalParities.of(settings));
  }

  private LocalReconstruction(LrcSettings settings, GlobalParities globals) {
    super(
        "lrc-" + settings.k() + "-" + settings.l() + "-" + settings.g(),
        1,
        generator(settings, globals));
    this.settings = settings;
    this.globals = globals;
  }

  private static Matrix generator(LrcSettings settings, GlobalParities globals) {
    int k = settings.k();
    int[] values = new int[settings.n() * k];
    for (int column = 0; column < k; column++) {
      values[column * k + column] = 1;
      values[(k + column / settings.groupSize()) * k + column] = 1;
      for (int parity = 0; parity < settings.g(); parity++) {
        int row = k + settings.l() + parity;
        values[row * k + column] = globals.coefficient(parity, column);
      }
    }
    return Matrix.of(settings.n(), k, values);
  }

  /** The parameters. */
  public LrcSettings settings() {
    return settings;
  }

  /**
   * Whether the code is maximally recoverable: it recovers every pattern in which at most g losses
   * remain after each local parity has repaired one loss of its group. The package's page lists the
   * parameters. Other codes promise any g + 1 losses.
   */
  public boolean maximallyRecoverable() {
    return globals.maximallyRecoverable();
  }

  @Override
  public List<LocalGroup> groups() {
    int size = settings.groupSize();
    return IntStream.range(0, settings.l())
        .mapToObj(g -> LocalGroup.withParity("local " + (g + 1), g * size, (g + 1) * size, k() + g))
        .toList();
  }

  @Override
  public List<Promise> promises() {
    List<LocalGroup> groups = groups();
    List<Promise> promises = new ArrayList<>();
    int g = settings.g();
    if (maximallyRecoverable()) {
      List<Integer> rest = IntStream.range(n() - g, n()).boxed().toList();
      promises.add(
          new MaximallyRecoverableLosses(
              "1 block of each local group and any " + g + " more", groups, rest, g));
    }
    promises.add(Promises.any(n(), g + 1));
    promises.add(Promises.withinGroups("any 1 block of a local group from that group", groups));
    return promises;
  }
}
