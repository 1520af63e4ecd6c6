package org.braid.code;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** A name is no code's name; the message gives the reason and what may have been meant. */
public final class UnknownCodeException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** The size of a cell, at the end of the names of HDFS's own policies. */
  private static final Pattern CELL = Pattern.compile("-[0-9]{1,9}k$");

  /** Letters in which a name that was meant may differ. */
  private static final int MOST_EDITS = 3;

  private UnknownCodeException(String message, Throwable cause) {
    super(message, cause);
  }

  private UnknownCodeException(String message) {
    super(message);
  }

  static UnknownCodeException unknown(String name, List<CodeFamily> known) {
    return new UnknownCodeException(
        "no code is named \""
            + name
            + "\""
            + meant(name, known).map(code -> "; did you mean \"" + code + "\"?").orElse(";")
            + " braid codes list shows all families");
  }

  /** The code that HDFS's own policies name so, or the nearest of the families' examples. */
  private static Optional<String> meant(String name, List<CodeFamily> known) {
    String plain = CELL.matcher(name.toLowerCase(Locale.ROOT)).replaceFirst("");
    if (known.stream().anyMatch(family -> family.looksLikeOne(plain))) {
      return Optional.of(plain);
    }
    LevenshteinDistance distance =
        new LevenshteinDistance(Math.max(1, Math.min(MOST_EDITS, plain.length() / 2)));
    return known.stream()
        .map(CodeFamily::example)
        .filter(example -> distance.apply(plain, example) >= 0)
        .min(Comparator.comparing(example -> distance.apply(plain, example)));
  }

  static UnknownCodeException malformed(String name, CodeFamily family, RuntimeException reason) {
    return new UnknownCodeException(
        "\""
            + name
            + "\" is not a code: "
            + reason.getMessage()
            + "; the pattern is "
            + family.pattern()
            + ", for example "
            + family.example(),
        reason);
  }
}
