package org.braid.hdfs.stripe;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.code.derive.ParityCopies;
import org.braid.placement.site.SiteRequest;

/**
 * The recorded code of a stripe.
 *
 * @param original name of the code without copies of parity
 * @param copies number of copies of each parity
 * @param digest SHA-256 of the matrix, including copies, hexadecimal
 */
public record StripeCode(String original, int copies, String digest) {
  /** Codes that were resolved, and their digests, by name. They are few, and stay. */
  private static final Map<String, Known> KNOWN = new ConcurrentHashMap<>();

  private record Known(ErasureCode code, String digest) {}

  /** The record of a code. */
  public static StripeCode of(ErasureCode code) {
    return new StripeCode(
        ParityCopies.original(code).name(),
        ParityCopies.of(code),
        KNOWN.computeIfAbsent(code.name(), name -> new Known(code, Codes.digest(code))).digest());
  }

  /**
   * The record of a code with a prefix of its digest, which is completed if a code of this name has
   * it.
   *
   * @param members blocks of the stripe; a code of another length is not created
   */
  static StripeCode ofPrefix(String original, int copies, String digest, int members) {
    String found = digest;
    try {
      String whole = known(original, copies, members).digest();
      found = whole.startsWith(digest) ? whole : digest;
    } catch (IllegalArgumentException e) {
      // Whoever needs the code hears that it is not known.
    }
    return new StripeCode(original, copies, found);
  }

  /**
   * A code that stores each parity several times.
   *
   * @param name the name of the code
   * @param copies how often each parity is stored
   * @throws IllegalArgumentException when there is no such code, copies are not 1 to {@link
   *     SiteRequest#MAX_PARITY_COPIES}, or a stripe would have more than {@link
   *     ErasureCode#MAX_BLOCKS} blocks
   */
  public static ErasureCode named(String name, int copies) {
    return known(name, copies).code();
  }

  /**
   * The code of a recorded name, with its copies of parity.
   *
   * @param name as {@link #name} gives it
   * @throws IllegalArgumentException when there is no such code
   */
  public static ErasureCode named(String name) {
    for (int copies = 2; copies <= SiteRequest.MAX_PARITY_COPIES; copies++) {
      String suffix = ParityCopies.name("", copies);
      if (name.endsWith(suffix)) {
        return named(name.substring(0, name.length() - suffix.length()), copies);
      }
    }
    return named(name, 1);
  }

  private static Known known(String name, int copies) {
    Known known = KNOWN.get(ParityCopies.name(name, copies));
    return known == null ? resolve(name, copies) : known;
  }

  private static Known resolve(String name, int copies) {
    ErasureCode code = Codes.named(name);
    if (copies < 1 || copies > SiteRequest.MAX_PARITY_COPIES) {
      throw new IllegalArgumentException(
          "%d copies of each parity, needed are 1 to %d"
              .formatted(copies, SiteRequest.MAX_PARITY_COPIES));
    }
    int blocks = code.k() + copies * code.m();
    if (blocks > ErasureCode.MAX_BLOCKS) {
      throw new IllegalArgumentException(
          "%s with %d copies of each parity has %d blocks a stripe, at most %d are possible"
              .formatted(name, copies, blocks, ErasureCode.MAX_BLOCKS));
    }
    return KNOWN.computeIfAbsent(
        ParityCopies.name(name, copies),
        unused -> {
          ErasureCode whole = copies == 1 ? code : new ParityCopies(code, copies);
          return new Known(whole, Codes.digest(whole));
        });
  }

  /** The name of the code, which may be unknown here. */
  public String name() {
    return ParityCopies.name(original, copies);
  }

  /** The code of stripes of so many members; one whose name says another number is not made. */
  private static Known known(String original, int copies, int members) {
    String name = ParityCopies.name(original, copies);
    Known known = KNOWN.get(name);
    if (known == null) {
      // Nobody has just written the name: there is nothing to correct, and there may be millions.
      if (!Codes.hasFamily(original)) {
        throw new IllegalArgumentException(
            "its code is %s, which this Braid does not know: upgrade Braid".formatted(original));
      }
      long once = Codes.sizeOf(original).blocks();
      // Without a product, which a damaged description may make too large.
      int times = Math.max(1, copies);
      if (members < once || (members + times - 1L) / times > once) {
        throw otherLength(members, original, once);
      }
      known = resolve(original, copies);
    }
    if (members != known.code().n()) {
      throw otherLength(members, name, known.code().n());
    }
    return known;
  }

  private static IllegalArgumentException otherLength(int members, String name, long blocks) {
    return new IllegalArgumentException(
        "it has %d members, %s has %d blocks: its description is damaged"
            .formatted(members, name, blocks));
  }

  /**
   * The code with the recorded matrix.
   *
   * @param members blocks of the stripe
   * @throws IllegalArgumentException when this version of Braid does not know the code, knows
   *     another matrix by its name, or the code has another length
   */
  ErasureCode resolve(int members) {
    Known known = known(original, copies, members);
    if (!known.digest().equals(digest)) {
      throw new IllegalArgumentException(
          "it was encoded with another matrix of the name %s (digest %s, this Braid has %s): use"
                  .formatted(name(), digest, known.digest())
              + " the release that wrote it");
    }
    return known.code();
  }
}
