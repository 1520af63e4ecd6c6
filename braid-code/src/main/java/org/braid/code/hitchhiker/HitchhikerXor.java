package org.braid.code.hitchhiker;

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
import org.braid.code.rs.ReedSolomon;
import org.braid.code.rs.RsSettings;

/**
 * Reed-Solomon on both halves of the blocks, with sums of first halves added to the second halves
 * of the parities; alpha is 2.
 */
public final class HitchhikerXor extends NamedCode {
  /** Codes named {@code hitchhiker-xor-K-M}. */
  public static final CodeFamily FAMILY =
      new CodeFamily(
          "hitchhiker-xor",
          "hitchhiker-xor-K-M",
          "Hitchhiker-XOR, Reed-Solomon on halves, cheaper repair of single data blocks",
          "hitchhiker-xor-10-4",
          "A Hitchhiker's Guide to Fast and Efficient Data Reconstruction",
          p -> StripeSize.of(p[0] + p[1], 2),
          CodeFamily.parameters(2, p -> new HitchhikerXor(new HitchhikerSettings(p[0], p[1]))));

  private static final int HALVES = 2;
  private static final int FIRST = 0;
  private static final int SECOND = 1;

  private final HitchhikerSettings settings;

  public HitchhikerXor(HitchhikerSettings settings) {
    super("hitchhiker-xor-" + settings.k() + "-" + settings.m(), HALVES, generator(settings));
    this.settings = settings;
  }

  private static Matrix generator(HitchhikerSettings settings) {
    int k = settings.k();
    int n = k + settings.m();
    Matrix base = new ReedSolomon(new RsSettings(k, settings.m())).generator();
    int width = k * HALVES;
    byte[] values = new byte[n * HALVES * width];
    for (int block = 0; block < n; block++) {
      for (int half = FIRST; half <= SECOND; half++) {
        for (int i = 0; i < k; i++) {
          int row = block * HALVES + half;
          values[row * width + i * HALVES + half] = (byte) base.at(block, i);
        }
      }
    }
    for (int i = 0; i < k; i++) {
      int row = (k + settings.carrier(i)) * HALVES + SECOND;
      values[row * width + i * HALVES + FIRST] = 1;
    }
    return Matrix.ofBytes(n * HALVES, width, values);
  }

  @Override
  public List<Promise> promises() {
    return List.of(Promises.any(n(), m()));
  }

  /** The k + |group| half-blocks that repair one lost data block; empty for other losses. */
  @Override
  public List<List<SubBlock>> repairSets(Set<Integer> lost) {
    int block = lost.size() == 1 ? lost.iterator().next() : -1;
    if (block < 0 || block >= settings.k()) {
      return List.of();
    }
    int carrier = settings.carrier(block);
    Set<SubBlock> reads = new TreeSet<>();
    for (int i = 0; i < settings.k(); i++) {
      if (i != block) {
        reads.add(new SubBlock(i, SECOND));
      }
      if (i != block && settings.carrier(i) == carrier) {
        reads.add(new SubBlock(i, FIRST));
      }
    }
    reads.add(new SubBlock(settings.k(), SECOND));
    reads.add(new SubBlock(settings.k() + carrier, SECOND));
    return List.of(List.copyOf(reads));
  }
}
