package org.braid.code;

import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A family of codes in the registry.
 *
 * @param prefix the start of its names, without the hyphen before the parameters
 * @param pattern the pattern of its names, parameters in capitals, for example {@code rs-K-M}
 * @param description one line
 * @param example one of its names
 * @param source the paper or section that defines it
 * @param size the size of a stripe by the numbers in a code's name; those that are missing are 0
 * @param parser creates the code from the parameters in its name; throws IllegalArgumentException
 *     with the reason when they are invalid
 */
public record CodeFamily(
    String prefix,
    String pattern,
    String description,
    String example,
    String source,
    Function<long[], StripeSize> size,
    Function<String, ErasureCode> parser) {
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");
  private static final Pattern PARAMETER =
      Pattern.compile("(?<![0-9])(?:0|[1-9][0-9]{0,8})(?![0-9])(?:\\.[0-9]{1,9})*");
  private static final int MOST_NUMBERS = 8;

  /** Whether a name has the form of the family's names, whatever numbers are in it. */
  boolean looksLikeOne(String name) {
    return form(name).equals(form(example));
  }

  private static String form(String name) {
    return PARAMETER.matcher(name).replaceAll("#");
  }

  /** The size of the stripes of a code, by the parameters in its name, which need not be valid. */
  StripeSize stripe(String parameters) {
    Matcher numbers = NUMBER.matcher(parameters);
    long[] found = new long[MOST_NUMBERS];
    for (int i = 0; i < MOST_NUMBERS && numbers.find(); i++) {
      found[i] = Long.parseLong(numbers.group());
    }
    return size.apply(found);
  }

  /** A parser of codes whose names have decimal parameters alone, joined by hyphens. */
  public static Function<String, ErasureCode> parameters(
      int count, Function<int[], ErasureCode> code) {
    return text -> code.apply(numbers(text, count));
  }

  /**
   * Parses decimal parameters joined by hyphens.
   *
   * @param text for example {@code 10-4}
   * @param count the expected number of parameters
   * @throws IllegalArgumentException when there are more or fewer, or one is not a number
   */
  private static int[] numbers(String text, int count) {
    String[] parts = text.split("-", -1);
    int found = text.isEmpty() ? 0 : parts.length;
    if (found != count) {
      throw new IllegalArgumentException(
          "it has " + found + (found == 1 ? " parameter" : " parameters") + ", not " + count);
    }
    int[] out = new int[count];
    for (int i = 0; i < count; i++) {
      if (!parts[i].matches("[0-9]{1,9}")) {
        throw new IllegalArgumentException(
            "\"" + parts[i] + "\" is not a decimal number of at most 9 digits");
      }
      out[i] = Integer.parseInt(parts[i]);
    }
    return out;
  }

  /**
   * Parses labelled decimal parameters joined by hyphens.
   *
   * @param text for example {@code n14-r8}
   * @param labels the label of each parameter, in order
   * @throws IllegalArgumentException when there are more or fewer, or one has another label or is
   *     not a number
   */
  public static int[] labelled(String text, String... labels) {
    String[] parts = text.split("-", -1);
    for (int i = 0; i < parts.length && parts.length == labels.length; i++) {
      if (!parts[i].startsWith(labels[i])) {
        throw new IllegalArgumentException(
            "\"" + parts[i] + "\" should be " + labels[i] + " and a number");
      }
      parts[i] = parts[i].substring(labels[i].length());
    }
    return numbers(String.join("-", parts), labels.length);
  }
}
