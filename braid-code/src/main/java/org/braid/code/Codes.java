package org.braid.code;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import org.braid.code.bound.Bound;
import org.braid.code.bound.Bounds;
import org.braid.code.clay.Clay;
import org.braid.code.flr.FlatLocalRecovery;
import org.braid.code.hitchhiker.HitchhikerXor;
import org.braid.code.hlr.HierarchicalLocalRecovery;
import org.braid.code.lrc.LocalReconstruction;
import org.braid.code.mxor.MultiXor;
import org.braid.code.rep.Replication;
import org.braid.code.rotated.RotatedReedSolomon;
import org.braid.code.rs.ReedSolomon;
import org.braid.code.stair.Stair;
import org.braid.code.xor.SingleParity;
import org.braid.code.xorbas.Xorbas;

/**
 * The registry of codes. A name is persisted with every stripe: name and matrix never change once
 * released, which {@link #digest} and its golden values hold to.
 */
public final class Codes {
  private static final List<CodeFamily> FAMILIES =
      List.of(
          ReedSolomon.FAMILY,
          Replication.FAMILY,
          SingleParity.FAMILY,
          LocalReconstruction.FAMILY,
          Xorbas.FAMILY,
          MultiXor.FAMILY,
          FlatLocalRecovery.FAMILY,
          HierarchicalLocalRecovery.FAMILY,
          Stair.STAIR,
          Stair.RSTAIR,
          RotatedReedSolomon.FAMILY,
          HitchhikerXor.FAMILY,
          Clay.FAMILY);

  private static final List<Bound> BOUNDS =
      List.of(
          Bounds.cutSet(),
          Bounds.cutSetHelper(),
          Bounds.singleton(),
          Bounds.locality(),
          Bounds.overhead(),
          Bounds.localOverhead());

  private static final LastUsed<String, ErasureCode> MADE = new LastUsed<>(8);

  private Codes() {}

  /** All families, in the order of listings. */
  public static List<CodeFamily> families() {
    return FAMILIES;
  }

  /** What no code can beat, in the order of listings. */
  public static List<Bound> bounds() {
    return BOUNDS;
  }

  /**
   * The code of a name.
   *
   * @throws UnknownCodeException when no family has such names, or the parameters are no good
   */
  public static ErasureCode named(String name) {
    return MADE.get(name, Codes::make);
  }

  /** Makes the code of a name, whether there is one already or not. */
  static ErasureCode make(String name) {
    // The longest prefix wins, as one family's prefix may begin another's.
    CodeFamily family =
        FAMILIES.stream()
            .filter(f -> name.equals(f.prefix()) || name.startsWith(f.prefix() + "-"))
            .max(Comparator.comparingInt(f -> f.prefix().length()))
            .orElseThrow(() -> UnknownCodeException.unknown(name, FAMILIES));
    ErasureCode code;
    try {
      int skipped = Math.min(name.length(), family.prefix().length() + 1);
      code = family.parser().apply(name.substring(skipped));
      if (!code.name().equals(name)) {
        // One code has one persisted name.
        throw new IllegalArgumentException("it is written " + code.name());
      }
    } catch (IllegalArgumentException e) {
      throw UnknownCodeException.malformed(name, family, e);
    }
    return code;
  }

  /**
   * The identity of a code's matrix, whatever the code is called: SHA-256, in lower-case hex, over
   * n, k and alpha as big-endian 32-bit integers and then the generator's bytes row by row.
   */
  public static String digest(ErasureCode code) {
    Matrix generator = code.generator();
    ByteBuffer bytes = ByteBuffer.allocate(12 + generator.rows() * generator.columns());
    bytes.putInt(code.n()).putInt(code.k()).putInt(code.alpha());
    for (int r = 0; r < generator.rows(); r++) {
      for (int c = 0; c < generator.columns(); c++) {
        bytes.put((byte) generator.at(r, c));
      }
    }
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes.array()));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
