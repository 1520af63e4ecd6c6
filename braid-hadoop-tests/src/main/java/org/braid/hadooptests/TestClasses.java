package org.braid.hadooptests;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The test classes in a jar: those that Hadoop's own build runs, whose names begin with {@code
 * Test}.
 */
final class TestClasses {
  /** Stands for all classes. */
  static final String ALL = "all";

  private static final Pattern CLASS = Pattern.compile("(?:.*/)?Test[^/$]*\\.class");

  /** The sizes of the classes in bytes, by name. */
  private final SortedMap<String, Long> sizes;

  private TestClasses(SortedMap<String, Long> sizes) {
    this.sizes = sizes;
  }

  static TestClasses in(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      SortedMap<String, Long> sizes = new TreeMap<>();
      for (JarEntry entry : Collections.list(file.entries())) {
        if (CLASS.matcher(entry.getName()).matches()) {
          String path = entry.getName();
          sizes.put(
              path.substring(0, path.length() - ".class".length()).replace('/', '.'),
              entry.getSize());
        }
      }
      return new TestClasses(sizes);
    }
  }

  List<String> names() {
    return List.copyOf(sizes.keySet());
  }

  /**
   * Orders classes so that many have a result soon: first those with unknown time, by size, then
   * the others by time.
   *
   * @param seconds the known times of classes
   */
  List<String> shortFirst(Collection<String> names, Map<String, Double> seconds) {
    return names.stream()
        .sorted(
            Comparator.comparingDouble((String name) -> seconds.getOrDefault(name, 0.0))
                .thenComparingLong(name -> sizes.getOrDefault(name, 0L))
                .thenComparing(Comparator.naturalOrder()))
        .toList();
  }

  /**
   * The classes that are asked for, in that order.
   *
   * @param asked {@code all}, names with or without package, and with * for any characters
   */
  List<String> chosen(Collection<String> asked) throws Complaint {
    Set<String> chosen = new LinkedHashSet<>();
    for (String name : asked) {
      List<String> found = name.equals(ALL) ? names() : matching(name);
      if (found.isEmpty()) {
        throw new Complaint("no class of Hadoop's tests is named " + name + "; --list names them");
      }
      chosen.addAll(found);
    }
    return new ArrayList<>(chosen);
  }

  private List<String> matching(String name) {
    String anyPackage = name.contains(".") ? "" : "(?:.*\\.)?";
    String expression =
        Arrays.stream(name.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
    Pattern pattern = Pattern.compile(anyPackage + expression);
    return sizes.keySet().stream().filter(each -> pattern.matcher(each).matches()).toList();
  }
}
