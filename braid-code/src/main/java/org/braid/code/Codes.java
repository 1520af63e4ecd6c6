package org.braid.code;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import org.braid.code.bound.Bound;
import org.braid.code.bound.Bounds;
import org.braid.code.flr.FlatLocalRecovery;
import org.braid.code.flr.FlrSettings;
import org.braid.code.hlr.HierarchicalLocalRecovery;
import org.braid.code.hlr.HlrSettings;
import org.braid.code.mxor.MultiXor;
import org.braid.code.mxor.MxorSettings;
import org.braid.code.rep.RepSettings;
import org.braid.code.rep.Replication;
import org.braid.code.rs.ReedSolomon;
import org.braid.code.rs.RsSettings;
import org.braid.code.xor.SingleParity;
import org.braid.code.xor.XorSettings;
import org.braid.code.xorbas.Xorbas;
import org.braid.code.xorbas.XorbasSettings;
import org.braid.code.stair.Stair;
import org.braid.code.stair.StairSettings;

/**
 * The registry of codes. A name is persisted with every stripe: name and matrix never change once
 * released, which {@link #digest} and its golden values hold to.
 */
public final class Codes {
  private static final List<CodeFamily> FAMILIES =
      List.of(
          new CodeFamily(
              "rs",
              "rs-K-M",
              "Reed-Solomon, K data and M parity blocks, byte-identical with HDFS",
              "rs-6-3",
              Codes::reedSolomon),
          new CodeFamily("rep", "rep-R", "Replication, R copies", "rep-3", Codes::replication),
          new CodeFamily(
              "xor",
              "xor-K-1",
              "Single parity, the XOR of K data blocks",
              "xor-4-1",
              Codes::singleParity),
          new CodeFamily(
              "xorbas",
              "xorbas-K-P-R",
              "Xorbas, K data in groups of R and P parities: Reed-Solomon's, then a local one a group",
              "xorbas-10-6-5",
              Codes::xorbas),
          new CodeFamily(
              "mxor",
              "mxor-K-P",
              "Multi-XOR, K data in 2 rows and P = K/2 + 2 parities: vertical, then 2 horizontal",
              "mxor-10-7",
              Codes::multiXor),
          new CodeFamily(
              "flr",
              "flr-nN-gG-lL",
              "Flat local recovery, N blocks in N racks, L local and G global parities",
              "flr-n14-g4-l2",
              Codes::flatLocalRecovery),
          new CodeFamily(
              "hlr",
              "hlr-nN-rR-gG-lL",
              "Hierarchical local recovery, N racks of R blocks, G parity racks, L local parities a rack",
              "hlr-n14-r8-g4-l1",
              Codes::hierarchicalLocalRecovery),
          new CodeFamily(
              "stair",
              "stair-nN-rR-mM-eE0.E1-l0",
              "STAIR, N racks of R blocks, survives M racks and E0, E1, ... blocks of others",
              "stair-n8-r4-m2-e1.1.2-l0",
              p -> new Stair(StairSettings.stair(p))),
          new CodeFamily(
              "rstair",
              "rstair-nN-rR-mM-eE0.E1-lL",
              "R-STAIR, as STAIR, and each rack rebuilds L of its blocks by itself",
              "rstair-n6-r5-m1-e2.4-l1",
              p -> new Stair(StairSettings.rstair(p))));

  private static final List<Bound> BOUNDS =
      List.of(
          Bounds.cutSet(),
          Bounds.cutSetHelper(),
          Bounds.singleton(),
          Bounds.locality(),
          Bounds.overhead(),
          Bounds.localOverhead());

  private Codes() {}

  private static ErasureCode reedSolomon(String parameters) {
    int[] p = CodeFamily.numbers(parameters, 2);
    return new ReedSolomon(new RsSettings(p[0], p[1]));
  }

  private static ErasureCode replication(String parameters) {
    int[] p = CodeFamily.numbers(parameters, 1);
    return new Replication(new RepSettings(p[0]));
  }

  private static ErasureCode singleParity(String parameters) {
    int[] p = CodeFamily.numbers(parameters, 2);
    return new SingleParity(new XorSettings(p[0], p[1]));
  }

  private static ErasureCode xorbas(String parameters) {
    int[] p = CodeFamily.numbers(parameters, 3);
    return new Xorbas(new XorbasSettings(p[0], p[1], p[2]));
  }

  private static ErasureCode multiXor(String parameters) {
    int[] p = CodeFamily.numbers(parameters, 2);
    return new MultiXor(new MxorSettings(p[0], p[1]));
  }

  private static ErasureCode flatLocalRecovery(String parameters) {
    int[] p = CodeFamily.labelled(parameters, "n", "g", "l");
    return new FlatLocalRecovery(new FlrSettings(p[0], p[1], p[2]));
  }

  private static ErasureCode hierarchicalLocalRecovery(String parameters) {
    int[] p = CodeFamily.labelled(parameters, "n", "r", "g", "l");
    return new HierarchicalLocalRecovery(new HlrSettings(p[0], p[1], p[2], p[3]));
  }

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
