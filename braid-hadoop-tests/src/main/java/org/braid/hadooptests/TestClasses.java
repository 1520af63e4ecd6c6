package org.braid.hadooptests;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The classes of tests in a jar: those that Hadoop's own build takes, whose names begin with {@code
 * Test}.
 */
final class TestClasses {
  /** Stands for all classes. */
  static final String ALL = "all";

  private static final Pattern CLASS = Pattern.compile("(?:.*/)?Test[^/$]*\\.class");

  private final List<String> names;

  private TestClasses(List<String> names) {
    this.names = names;
  }

  static TestClasses in(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      return new TestClasses(
          file.stream()
              .map(JarEntry::getName)
              .filter(name -> CLASS.matcher(name).matches())
              .map(name -> name.substring(0, name.length() - ".class".length()).replace('/', '.'))
              .sorted()
              .toList());
    }
  }

  List<String> names() {
    return names;
  }

  /**
   * The classes that are asked for, in that order.
   *
   * @param asked {@code all}, names with or without package, and with * for any characters
   */
  List<String> chosen(Collection<String> asked) throws Complaint {
    Set<String> chosen = new LinkedHashSet<>();
    for (String name : asked) {
      List<String> found = name.equals(ALL) ? names : matching(name);
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
    return names.stream().filter(each -> pattern.matcher(each).matches()).toList();
  }
}
