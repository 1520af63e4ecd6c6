package org.braid.code.derive;

import java.util.List;
import java.util.stream.IntStream;
import org.braid.code.ErasureCode;
import org.braid.code.LocalGroup;
import org.braid.code.Matrix;
import org.braid.code.NamedCode;
import org.braid.code.Promise;

/**
 * A code whose parity blocks are stored several times, so that more repairs find one nearby
 * (Geo-MXOR §V-C and table II). Copies stand behind the stripe, all first copies, then all second
 * ones; it is not in the registry.
 */
public final class ParityCopies extends NamedCode {
  private final ErasureCode code;

  /**
   * A code with copies of its parity.
   *
   * @param copies how often each parity block is stored, at least 1
   * @throws IllegalArgumentException when copies are below 1
   */
  public ParityCopies(ErasureCode code, int copies) {
    super(
        copies == 1 ? code.name() : code.name() + ", parity x" + copies,
        code.alpha(),
        generator(code, copies));
    this.code = code;
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

  @Override
  public List<Promise> promises() {
    return code.promises();
  }

  @Override
  public List<LocalGroup> groups() {
    return code.groups();
  }
}
