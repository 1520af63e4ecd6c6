package org.braid.code;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
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
 * The registry of codes. Every stripe persists the name of its code, so the name and the matrix of
 * a released code never change; golden values of {@link #digest} verify that.
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

  /** Up to these sizes of a stripe a code is made to see whether its parameters are valid. */
  private static final int MADE_BLOCKS = 32;

  private static final int MADE_SUB_BLOCKS = 256;

  private static final LruCache<String, ErasureCode> CACHE = new LruCache<>(8);

  private Codes() {}

  /** All families of codes, in the order of listings. */
  public static List<CodeFamily> families() {
    return FAMILIES;
  }

  /** All bounds, in the order of listings. */
  public static List<Bound> bounds() {
    return BOUNDS;
  }

  /**
   * The code with a name.
   *
   * @throws UnknownCodeException when no family has such names, or the parameters are invalid
   */
  public static ErasureCode named(String name) {
    return CACHE.get(name, Codes::make);
  }

  /**
   * The family of a code's name. One family's prefix may be the start of another's: the longest
   * prefix wins.
   *
   * @throws UnknownCodeException when no family has such names
   */
  public static CodeFamily familyOf(String name) {
    return family(name).orElseThrow(() -> UnknownCodeException.unknown(name, FAMILIES));
  }

  /** Whether a family has such names. */
  public static boolean hasFamily(String name) {
    return family(name).isPresent();
  }

  private static Optional<CodeFamily> family(String name) {
    return FAMILIES.stream()
        .filter(f -> name.equals(f.prefix()) || name.startsWith(f.prefix() + "-"))
        .max(Comparator.comparingInt(f -> f.prefix().length()));
  }

  /**
   * Refuses a name that is neither a family's prefix nor a code. Always fast: for a code that takes
   * long to create, it checks only the form of the name.
   *
   * @throws UnknownCodeException with the reason
   */
  public static void checkListed(String name) {
    CodeFamily family = familyOf(name);
    if (name.equals(family.prefix())) {
      return;
    }
    StripeSize size = sizeOf(name);
    if (size.blocks() <= MADE_BLOCKS && size.subBlocks() <= MADE_SUB_BLOCKS && !size.searched()) {
      named(name);
    } else if (!family.looksLikeOne(name)) {
      throw UnknownCodeException.malformed(
          name, family, new IllegalArgumentException("its parameters are written in another way"));
    }
  }

  /**
   * The size of the stripes of a code, without making the code. Of a name with invalid parameters
   * it is some size.
   *
   * @throws UnknownCodeException when no family has such names
   */
  public static StripeSize sizeOf(String name) {
    CodeFamily family = familyOf(name);
    return family.stripe(parameters(name, family));
  }

  private static String parameters(String name, CodeFamily family) {
    return name.substring(Math.min(name.length(), family.prefix().length() + 1));
  }

  /** Creates the code with a name, without the cache. */
  static ErasureCode make(String name) {
    CodeFamily family = familyOf(name);
    ErasureCode code;
    try {
      code = family.parser().apply(parameters(name, family));
      if (!code.name().equals(name)) {
        // A code has only one persisted name.
        throw new IllegalArgumentException("it is written " + code.name());
      }
    } catch (IllegalArgumentException e) {
      throw UnknownCodeException.malformed(name, family, e);
    }
    return code;
  }

  /**
   * The digest of a code's matrix, independent of its name: SHA-256 in lower-case hex over n, k and
   * alpha as big-endian 32-bit integers and the generator's bytes row by row.
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
