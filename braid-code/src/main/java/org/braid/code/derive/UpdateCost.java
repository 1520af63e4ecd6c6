package org.braid.code.derive;

import org.braid.code.ErasureCode;

/**
 * The update cost of a code: the number of parity sub-blocks that change with a data sub-block.
 *
 * @param average the average over all data sub-blocks
 * @param worst the maximum over all data sub-blocks
 * @param wholeBlock parity that changes with a whole data block, in blocks, on average
 */
public record UpdateCost(double average, int worst, double wholeBlock) {
  /** Counts the non-zero coefficients of the generator's parity rows. */
  public static UpdateCost of(ErasureCode code) {
    int alpha = code.alpha();
    int width = code.k() * alpha;
    long sum = 0;
    int worst = 0;
    long whole = 0;
    for (int block = 0; block < code.k(); block++) {
      boolean[] changed = new boolean[code.m() * alpha];
      for (int column = block * alpha; column < (block + 1) * alpha; column++) {
        int count = 0;
        for (int r = 0; r < changed.length; r++) {
          if (code.generator().at(width + r, column) != 0) {
            count++;
            changed[r] = true;
          }
        }
        sum += count;
        worst = Math.max(worst, count);
      }
      for (boolean c : changed) {
        whole += c ? 1 : 0;
      }
    }
    return new UpdateCost((double) sum / width, worst, (double) whole / alpha / code.k());
  }
}
