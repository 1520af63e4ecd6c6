package org.braid.code;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import org.braid.code.clay.Clay;
import org.braid.code.clay.ClaySettings;
import org.braid.code.hitchhiker.HitchhikerSettings;
import org.braid.code.hitchhiker.HitchhikerXor;
import org.braid.code.rotated.RotatedReedSolomon;
import org.braid.code.rotated.RotatedRsSettings;
import org.braid.code.rs.ReedSolomon;
import org.braid.code.rs.RsSettings;

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
          new CodeFamily(
              "rotated-rs",
              "rotated-rs-K-M-R",
              "Rotated Reed-Solomon, R sub-blocks a block, cheaper repair of single data blocks",
              "rotated-rs-6-3-4",
              Codes::rotatedReedSolomon),
          new CodeFamily(
              "hitchhiker-xor",
              "hitchhiker-xor-K-M",
              "Hitchhiker-XOR, Reed-Solomon on halves, cheaper repair of single data blocks",
              "hitchhiker-xor-10-4",
              Codes::hitchhikerXor),
          new CodeFamily(
              "clay",
              "clay-K-M-D",
              "Clay, repair of any block from D helpers with the least traffic there can be",
              "clay-4-2-5",
              Codes::clay));

  private Codes() {}

  private static ErasureCode reedSolomon(String parameters) {
    int[] p = CodeFamily.numbers(parameters, 2);
    return new ReedSolomon(new RsSettings(p[0], p[1]));
  }

  private static ErasureCode rotatedReedSolomon(String parameters) {
    int[] p = CodeFamily.numbers(parameters, 3);
    return new RotatedReedSolomon(new RotatedRsSettings(p[0], p[1], p[2]));
  }

  private static ErasureCode hitchhikerXor(String parameters) {
    int[] p = CodeFamily.numbers(parameters, 2);
    return new HitchhikerXor(new HitchhikerSettings(p[0], p[1]));
  }

  private static ErasureCode clay(String parameters) {
    int[] p = CodeFamily.numbers(parameters, 3);
    return new Clay(new ClaySettings(p[0], p[1], p[2]));
  }

  /** All families, in the order of listings. */
  public static List<CodeFamily> families() {
    return FAMILIES;
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
