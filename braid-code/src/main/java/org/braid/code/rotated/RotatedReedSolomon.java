package org.braid.code.rotated;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.braid.code.CodeFamily;
import org.braid.code.Matrix;
import org.braid.code.NamedCode;
import org.braid.code.Promise;
import org.braid.code.Promises;
import org.braid.code.StripeSize;
import org.braid.code.SubBlock;

/** Reed-Solomon whose parities use the next row of some data blocks; alpha is r. */
public final class RotatedReedSolomon extends NamedCode {
  /** Codes named {@code rotated-rs-K-M-R}. */
  public static final CodeFamily FAMILY =
      new CodeFamily(
          "rotated-rs",
          "rotated-rs-K-M-R",
          "Rotated Reed-Solomon, R sub-blocks a block, cheaper repair of single data blocks",
          "rotated-rs-6-3-4",
          "Rethinking Erasure Codes for Cloud File Systems; PPR §7.7",
          RotatedReedSolomon::size,
          CodeFamily.parameters(
              3, p -> new RotatedReedSolomon(new RotatedRsSettings(p[0], p[1], p[2]))));

  private static StripeSize size(long[] p) {
    StripeSize size = StripeSize.of(p[0] + p[1], p[2]);
    return Long.bitCount(p[2]) == 1 ? size : size.searchedFor();
  }

  private final RotatedRsSettings settings;

  /**
   * Makes a code.
   *
   * @throws IllegalArgumentException when no coefficients are found that survive any m losses
   */
  public RotatedReedSolomon(RotatedRsSettings settings) {
    super(
        "rotated-rs-" + settings.k() + "-" + settings.m() + "-" + settings.r(),
        settings.r(),
        generator(settings, Coefficients.of(settings)));
    this.settings = settings;
  }

  private static Matrix generator(RotatedRsSettings settings, List<int[]> coefficients) {
    int k = settings.k();
    int r = settings.r();
    int width = k * r;
    byte[] values = new byte[(k + settings.m()) * r * width];
    for (int c = 0; c < width; c++) {
      values[c * width + c] = 1;
    }
    for (int j = 0; j < settings.m(); j++) {
      for (int b = 0; b < r; b++) {
        int row = (k + j) * r + b;
        for (int i = 0; i < k; i++) {
          values[row * width + i * r + settings.rowOf(j, b, i)] = (byte) coefficients.get(i)[j];
        }
      }
    }
    return Matrix.ofBytes((k + settings.m()) * r, width, values);
  }

  @Override
  public List<Promise> promises() {
    return List.of(Promises.any(n(), settings.m()));
  }

  /**
   * The reads that repair one lost data block, as the package's page defines them. Empty for a
   * parity, which needs all data, and for several lost blocks.
   */
  @Override
  public List<List<SubBlock>> repairSets(Set<Integer> lost) {
    if (lost.size() != 1 || settings.m() == 1) {
      return List.of();
    }
    int block = lost.iterator().next();
    if (block < 0 || block >= settings.k()) {
      return List.of();
    }
    int group = 0;
    while (settings.boundary(group + 1) <= block) {
      group++;
    }
    Set<SubBlock> reads = new TreeSet<>();
    int r = settings.r();
    for (int b = 0; b + 1 < r; b += 2) {
      read(group, b, block, reads);
      if (group + 1 < settings.m()) {
        read(group + 1, b, block, reads);
      } else {
        read(0, b + 1, block, reads);
      }
    }
    if (r % 2 == 1) {
      // The unpaired row: parity 0 is not rotated.
      read(0, r - 1, block, reads);
    }
    return List.of(List.copyOf(reads));
  }

  /** Reads parity sub-block c(j, b) and all its terms except the lost block's. */
  private void read(int j, int b, int lost, Set<SubBlock> reads) {
    reads.add(new SubBlock(settings.k() + j, b));
    for (int i = 0; i < settings.k(); i++) {
      if (i != lost) {
        reads.add(new SubBlock(i, settings.rowOf(j, b, i)));
      }
    }
  }
}
