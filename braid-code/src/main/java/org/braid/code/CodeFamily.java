package org.braid.code;

import java.util.function.Function;

/**
 * A family of codes in the registry.
 *
 * @param prefix what its names start with, up to and without the hyphen before the parameters
 * @param pattern its names, parameters in capitals, for example {@code rs-K-M}
 * @param description one line
 * @param example one name
 * @param source where it is defined
 * @param parser makes the code from the part of the name after the prefix and its hyphen; throws
 *     IllegalArgumentException with the reason when that part is no good
 */
public record CodeFamily(
    String prefix,
    String pattern,
    String description,
    String example,
    String source,
    Function<String, ErasureCode> parser) {

  /**
   * Reads decimal parameters that are joined by hyphens, for the parsers of families.
   *
   * @param text for example {@code 10-4}
   * @param count how many there must be
   * @throws IllegalArgumentException when there are more or fewer, or one is no number
   */
  public static int[] numbers(String text, int count) {
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
   * Reads decimal parameters that follow their labels and are joined by hyphens.
   *
   * @param text for example {@code n14-r8}
   * @param labels what each parameter starts with, in the order of the name
   * @throws IllegalArgumentException when there are more or fewer, or one has another label or is
   *     no number
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
