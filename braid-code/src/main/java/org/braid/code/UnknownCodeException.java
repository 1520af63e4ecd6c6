package org.braid.code;

import java.util.List;
import java.util.stream.Collectors;

/** A name is no code's name; the message gives the reason and the accepted patterns. */
public final class UnknownCodeException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

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
            + "\"; known: "
            + known.stream()
                .map(f -> f.pattern() + " (for example " + f.example() + ")")
                .collect(Collectors.joining(", ")));
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
