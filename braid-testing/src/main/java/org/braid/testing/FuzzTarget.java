package org.braid.testing;

import java.util.Locale;
import java.util.regex.Pattern;

/** A parser that a method of a class of fuzz tests feeds: a constant of an enum. */
public interface FuzzTarget {
  /** The constant's name. */
  String name();

  /** The parser with its seeds, and the inputs that it failed on once. */
  HostileParser parser();

  /** The method that feeds it to a fuzzer: the constant's name as Java names methods. */
  default String fuzzTest() {
    return Pattern.compile("_(.)")
        .matcher(name().toLowerCase(Locale.ROOT))
        .replaceAll(word -> word.group(1).toUpperCase(Locale.ROOT));
  }
}
