package org.braid.hdfs.setting;

import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.braid.hdfs.failure.Causes;

/**
 * Finds the property of Hadoop behind a failure. Hadoop's classes refuse some values only when they
 * read them, with an exception that seldom names the property.
 */
public final class HadoopSettings {
  private static final String HADOOP = "org.apache.hadoop.";

  /** Where the values of Hadoop itself come from. */
  private static final String DEFAULTS = "-default.xml";

  /** What separates the parts of a value. */
  private static final Pattern SEPARATOR = Pattern.compile("[,;\\s]+");

  /** Letters of the longest unit, as of {@code 5ms}. */
  private static final int UNIT = 2;

  /** What Java puts before the message of an exception that another one quotes. */
  private static final Pattern QUOTED = Pattern.compile("^([\\w.$]+(Exception|Error): )+");

  private record Property(String name, String value) {}

  private HadoopSettings() {}

  /**
   * The message for a failure that a wrong value caused: property, value, source and remedy in one
   * line; empty for other failures.
   */
  public static Optional<String> mistake(Throwable failure, Configuration conf) {
    List<Throwable> chain = Causes.of(failure);
    if (chain.stream().noneMatch(error -> isOfHadoop(error) && isRefusal(error))
        || chain.stream().anyMatch(error -> error instanceof UnknownHostException)) {
      return Optional.empty();
    }
    String said =
        chain.stream().map(e -> String.valueOf(e.getMessage())).collect(Collectors.joining("\n"));
    List<Property> set = set(conf);
    List<Predicate<Property>> signs =
        List.of(
            property -> hasWord(said, property.name),
            property -> hasWord(said, property.value),
            property ->
                isQuoted(chain, said)
                    && parts(property.value).anyMatch(part -> hasWord(said, part)));
    return signs.stream()
        .map(sign -> matching(set, sign))
        .filter(properties -> !properties.isEmpty())
        .findFirst()
        .map(properties -> line(properties, conf, problem(chain, said)));
  }

  /** Whether it was thrown by Hadoop's code, or by what that calls in Java's. */
  private static boolean isOfHadoop(Throwable error) {
    return Arrays.stream(error.getStackTrace())
        .map(StackTraceElement::getClassName)
        .filter(name -> !name.startsWith("java.") && !name.startsWith("jdk."))
        .findFirst()
        .filter(name -> name.startsWith(HADOOP))
        .isPresent();
  }

  /** Whether it is of the kinds that a value causes: what a NameNode or a disk says is not. */
  private static boolean isRefusal(Throwable error) {
    return error instanceof ReflectiveOperationException
        || (error instanceof RuntimeException && !(error instanceof NullPointerException));
  }

  /** Whether what was said quotes a part of a value. */
  private static boolean isQuoted(List<Throwable> chain, String said) {
    return chain.stream().anyMatch(error -> error instanceof NumberFormatException)
        || isWithoutClass(chain, said);
  }

  private static boolean isWithoutClass(List<Throwable> chain, String said) {
    return said.contains("ClassNotFoundException")
        || chain.stream().anyMatch(error -> error instanceof ClassNotFoundException);
  }

  /** Properties that are not Braid's and have no value of Hadoop's own, by name. */
  private static List<Property> set(Configuration conf) {
    List<Property> set = new ArrayList<>();
    for (Map.Entry<String, String> entry : conf) {
      Property property = new Property(entry.getKey(), entry.getValue().strip());
      if (!property.name.startsWith(Settings.PREFIX)
          && !property.value.isEmpty()
          && !Settings.source(conf, property.name).endsWith(DEFAULTS)) {
        set.add(property);
      }
    }
    set.sort(Comparator.comparing(Property::name));
    return set;
  }

  /** Of the properties that match those with the longest value. */
  private static List<Property> matching(List<Property> set, Predicate<Property> sign) {
    List<Property> found = set.stream().filter(sign).toList();
    Optional<String> longest =
        found.stream().map(Property::value).max(Comparator.comparingInt(String::length));
    return found.stream().filter(property -> longest.equals(Optional.of(property.value))).toList();
  }

  /** What Hadoop's messages quote of a value: the elements of a list, without their units. */
  private static Stream<String> parts(String value) {
    return SEPARATOR
        .splitAsStream(value)
        .flatMap(
            part ->
                IntStream.rangeClosed(0, Math.min(UNIT, part.length()))
                    .mapToObj(unit -> part.substring(0, part.length() - unit)));
  }

  /** In any case: Hadoop quotes times in lower case. */
  private static boolean hasWord(String text, String word) {
    return !word.isEmpty()
        && Pattern.compile(
                "(?<![\\w.$-])" + Pattern.quote(word) + "(?![\\w$-])", Pattern.CASE_INSENSITIVE)
            .matcher(text)
            .find();
  }

  private static String problem(List<Throwable> chain, String said) {
    Throwable root = chain.get(chain.size() - 1);
    if (root instanceof NumberFormatException) {
      return "it is not a number";
    }
    if (isWithoutClass(chain, said)) {
      return "there is no such class on the class path of this program";
    }
    String first = String.valueOf(root.getMessage()).lines().findFirst().orElse("");
    return QUOTED.matcher(first).replaceFirst("");
  }

  private static String line(List<Property> properties, Configuration conf, String problem) {
    Property first = properties.get(0);
    return new Settings.Finding(
            properties.stream().map(Property::name).collect(Collectors.joining(" or ")),
            first.value,
            Settings.source(conf, first.name),
            problem,
            "correct it, or remove it for Hadoop's default",
            false)
        .line();
  }
}
