package org.braid.hdfs.policy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A pattern of paths: {@code *} and {@code ?} stand for characters of a name, {@code [a-z]} and
 * {@code [!a-z]} for one of some, <code>**</code> for any number of directories, {@code {a,b}} for
 * either, and a backslash takes the meaning from the next character. A pattern without any of these
 * names a file, or a directory with all below it.
 */
public final class Glob {
  private static final int MOST_CHARACTERS = 4000;
  private static final int MOST_ALTERNATIVES = 64;
  private static final int LAST = Character.MAX_CODE_POINT;

  private static final List<Letter> TWO_STARS = List.of(Letter.ANY_NUMBER, Letter.ANY_NUMBER);

  private final String text;
  private final List<List<Name>> alternatives = new ArrayList<>();

  /** A range of characters. */
  private record Span(int from, int to) {}

  /** One of some characters, or any number of arbitrary ones. */
  private record Letter(List<Span> spans, boolean many) {
    static final Letter ANY = new Letter(without(List.of(new Span('/', '/'))), false);
    static final Letter ANY_NUMBER = new Letter(ANY.spans, true);

    static Letter of(int codePoint) {
      return new Letter(List.of(new Span(codePoint, codePoint)), false);
    }

    /** All characters but some. */
    static List<Span> without(List<Span> spans) {
      List<Span> sorted = new ArrayList<>(spans);
      sorted.sort(Comparator.comparingInt(Span::from));
      List<Span> rest = new ArrayList<>();
      int next = 1;
      for (Span span : sorted) {
        if (span.from() > next) {
          rest.add(new Span(next, span.from() - 1));
        }
        next = Math.max(next, span.to() + 1);
      }
      if (next <= LAST) {
        rest.add(new Span(next, LAST));
      }
      return rest;
    }

    boolean meets(Letter other) {
      return spans.stream()
          .anyMatch(
              a -> other.spans.stream().anyMatch(b -> a.from() <= b.to() && b.from() <= a.to()));
    }

    boolean has(int codePoint) {
      for (Span span : spans) {
        if (span.from() <= codePoint && codePoint <= span.to()) {
          return true;
        }
      }
      return false;
    }
  }

  /** A component of a path, or any number of arbitrary ones. */
  private record Name(List<Letter> letters, boolean many) {
    static final Name ANY_NUMBER = new Name(List.of(Letter.ANY_NUMBER), true);

    boolean meets(Name other) {
      return Glob.meet(letters, other.letters, Letter::many, Letter::meets);
    }

    boolean isLiteral() {
      return letters.stream()
          .allMatch(
              letter ->
                  !letter.many()
                      && letter.spans().size() == 1
                      && letter.spans().get(0).from() == letter.spans().get(0).to());
    }

    /** The name of a literal component. */
    String text() {
      return letters.stream()
          .map(letter -> Character.toString(letter.spans().get(0).from()))
          .collect(Collectors.joining());
    }

    boolean matches(List<Integer> characters) {
      return Glob.matches(letters, characters, Letter::many, any -> true, Letter::has);
    }

    /** Whether it matches only hidden directories, as its first character is literal. */
    boolean isHidden() {
      return !letters.isEmpty()
          && !letters.get(0).many()
          && letters.get(0).spans().stream()
              .allMatch(span -> span.from() == span.to() && HiddenDirectories.hides(span.from()));
    }
  }

  /**
   * A component of a path.
   *
   * @param hidden whether it is the name of a hidden directory
   */
  private record Part(List<Integer> characters, boolean hidden) {}

  private Glob(String text) {
    this.text = text;
    for (String alternative : expanded(text)) {
      List<Name> names = names(alternative);
      if (names.stream().allMatch(name -> !name.many() && name.isLiteral())) {
        names.add(Name.ANY_NUMBER);
      }
      alternatives.add(List.copyOf(names));
    }
  }

  /**
   * Reads a pattern.
   *
   * @throws IllegalArgumentException when it is none
   */
  public static Glob parse(String text) {
    return new Glob(text);
  }

  /** Whether a path matches. */
  public boolean matches(String path) {
    return matches(path, any -> true, (name, part) -> name.matches(part.characters()));
  }

  /**
   * Whether a path matches and all hidden directories in it are named: no wildcard stands for the
   * first character of their names.
   */
  boolean namesHidden(String path) {
    return matches(
        path,
        part -> !part.hidden(),
        (name, part) -> name.matches(part.characters()) && (!part.hidden() || name.isHidden()));
  }

  private boolean matches(String path, Predicate<Part> passed, BiPredicate<Name, Part> one) {
    if (path.isEmpty() || path.charAt(0) != '/' || path.contains("//")) {
      return false;
    }
    // Each name is tried with many parts of the pattern.
    List<Part> parts = new ArrayList<>();
    String[] names = path.length() == 1 ? new String[0] : path.substring(1).split("/", -1);
    for (int i = 0; i < names.length; i++) {
      boolean directory = i + 1 < names.length;
      parts.add(
          new Part(
              names[i].codePoints().boxed().toList(),
              directory && HiddenDirectories.isHidden(names[i])));
    }
    return alternatives.stream().anyMatch(a -> matches(a, parts, Name::many, passed, one));
  }

  /**
   * Whether a sequence matches a pattern. Backtracks only to the last element that stands for any
   * number, so that its time is bounded by the product of both lengths. The result is exact if each
   * single element matches only parts that such elements may contain, or only parts that they may
   * not.
   *
   * @param many whether an element stands for any number of parts
   * @param passed whether such an element may contain a part
   * @param one whether a single element matches a part of the sequence
   */
  private static <T, U> boolean matches(
      List<T> pattern,
      List<U> sequence,
      Predicate<T> many,
      Predicate<U> passed,
      BiPredicate<T, U> one) {
    int at = 0;
    int tried = -1;
    int taken = 0;
    for (int i = 0; i < sequence.size(); ) {
      if (at < pattern.size() && many.test(pattern.get(at))) {
        tried = at++;
        taken = i;
      } else if (at < pattern.size() && one.test(pattern.get(at), sequence.get(i))) {
        at++;
        i++;
      } else if (tried >= 0 && passed.test(sequence.get(taken))) {
        at = tried + 1;
        i = ++taken;
      } else {
        return false;
      }
    }
    return pattern.subList(at, pattern.size()).stream().allMatch(many);
  }

  /** Whether a path may match both patterns. */
  boolean overlaps(Glob other) {
    return alternatives.stream()
        .anyMatch(
            a -> other.alternatives.stream().anyMatch(b -> meet(a, b, Name::many, Name::meets)));
  }

  /** Whether it contains {@code .snapshot}: files in snapshots cannot be changed. */
  boolean namesSnapshots() {
    return alternatives.stream()
        .flatMap(List::stream)
        .anyMatch(name -> !name.many() && name.isLiteral() && name.text().equals(".snapshot"));
  }

  /** The paths at or below which all matching paths are. */
  List<String> roots() {
    return alternatives.stream()
        .map(
            names ->
                names.stream()
                    .takeWhile(name -> !name.many() && name.isLiteral())
                    .map(name -> "/" + name.text())
                    .collect(Collectors.joining()))
        .map(root -> root.isEmpty() ? "/" : root)
        .distinct()
        .toList();
  }

  /**
   * Whether a sequence may match two patterns.
   *
   * @param many whether an element stands for any number of what it stands for
   * @param meets whether a part may match two elements
   */
  private static <T> boolean meet(
      List<T> a, List<T> b, Predicate<T> many, BiPredicate<T, T> meets) {
    boolean[][] met = new boolean[a.size() + 1][b.size() + 1];
    for (int i = a.size(); i >= 0; i--) {
      for (int j = b.size(); j >= 0; j--) {
        boolean manyA = i < a.size() && many.test(a.get(i));
        boolean manyB = j < b.size() && many.test(b.get(j));
        boolean ends = i == a.size() && j == b.size();
        boolean skips = (manyA && met[i + 1][j]) || (manyB && met[i][j + 1]);
        boolean both = i < a.size() && j < b.size() && meets.test(a.get(i), b.get(j));
        met[i][j] =
            ends
                || skips
                || (both
                    && ((manyA && met[i][j + 1]) || (manyB && met[i + 1][j]) || met[i + 1][j + 1]));
      }
    }
    return met[0][0];
  }

  private IllegalArgumentException wrong(String why) {
    return new IllegalArgumentException("path \"" + text + "\": " + why);
  }

  /** Expands the alternatives of a pattern. */
  private List<String> expanded(String pattern) {
    if (pattern.length() > MOST_CHARACTERS) {
      throw new IllegalArgumentException(
          "a path of %d characters, at most %d are read"
              .formatted(pattern.length(), MOST_CHARACTERS));
    }
    List<StringBuilder> out = new ArrayList<>(List.of(new StringBuilder()));
    for (int i = 0; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      if (c == '\\' && i + 1 < pattern.length()) {
        String escaped = pattern.substring(i, i + 2);
        out.forEach(b -> b.append(escaped));
        i++;
      } else if (c == '{') {
        List<String> choices = new ArrayList<>();
        i = choices(pattern, i + 1, choices);
        List<StringBuilder> longer = new ArrayList<>();
        for (StringBuilder before : out) {
          choices.forEach(choice -> longer.add(new StringBuilder(before).append(choice)));
        }
        out = longer;
        if (out.size() > MOST_ALTERNATIVES) {
          throw wrong("more than " + MOST_ALTERNATIVES + " alternatives: write several policies");
        }
      } else if (c == '}') {
        throw wrong("a } without a {");
      } else {
        out.forEach(b -> b.append(c));
      }
    }
    return out.stream().map(StringBuilder::toString).distinct().toList();
  }

  /** Reads alternatives; answers where they end. */
  private int choices(String pattern, int start, List<String> choices) {
    StringBuilder choice = new StringBuilder();
    for (int i = start; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      if (c == '\\' && i + 1 < pattern.length()) {
        choice.append(c).append(pattern.charAt(++i));
      } else if (c == '{') {
        throw wrong("alternatives within alternatives");
      } else if (c == ',' || c == '}') {
        choices.add(choice.toString());
        choice.setLength(0);
        if (c == '}') {
          return i;
        }
      } else {
        choice.append(c);
      }
    }
    throw wrong("a { without a }");
  }

  private List<Name> names(String alternative) {
    if (!alternative.startsWith("/")) {
      throw wrong("it is not absolute: begin it with /");
    }
    List<Name> names = new ArrayList<>();
    int end = alternative.length();
    int i = 0;
    while (i < end) {
      List<Letter> letters = new ArrayList<>();
      int begin = ++i; // behind the slash
      while (i < end && alternative.charAt(i) != '/') {
        i = letter(alternative, i, letters);
      }
      String name = alternative.substring(begin, i);
      if (name.isEmpty()) {
        if (i < end) {
          throw wrong("an empty name between two slashes");
        }
      } else if (name.equals("**")) {
        names.add(Name.ANY_NUMBER);
      } else if (name.equals(".") || name.equals("..")) {
        throw wrong("\"" + name + "\" is no name of a file");
      } else if (Collections.indexOfSubList(letters, TWO_STARS) >= 0) {
        throw wrong("** stands for whole names: write it between slashes");
      } else {
        names.add(new Name(List.copyOf(letters), false));
      }
    }
    return names;
  }

  /** Reads a letter; answers what is behind it. */
  private int letter(String pattern, int at, List<Letter> letters) {
    int c = pattern.codePointAt(at);
    int next = at + Character.charCount(c);
    switch (c) {
      case '*' -> letters.add(Letter.ANY_NUMBER);
      case '?' -> letters.add(Letter.ANY);
      case '[' -> {
        return oneOf(pattern, next, letters);
      }
      case ']' -> throw wrong("a ] without a [");
      case '\\' -> {
        if (next >= pattern.length()) {
          throw wrong("a backslash at the end");
        }
        int escaped = pattern.codePointAt(next);
        if (escaped == '/') {
          throw wrong("a backslash before a slash");
        }
        letters.add(Letter.of(escaped));
        return next + Character.charCount(escaped);
      }
      default -> letters.add(Letter.of(c));
    }
    return next;
  }

  private int oneOf(String pattern, int start, List<Letter> letters) {
    List<Span> spans = new ArrayList<>();
    int i = start;
    boolean negated =
        i < pattern.length() && (pattern.charAt(i) == '!' || pattern.charAt(i) == '^');
    if (negated) {
      i++;
      spans.add(new Span('/', '/'));
    }
    int first = i;
    while (i < pattern.length() && (pattern.charAt(i) != ']' || i == first)) {
      int from = pattern.codePointAt(i);
      int to = from;
      i += Character.charCount(from);
      if (i + 1 < pattern.length() && pattern.charAt(i) == '-' && pattern.charAt(i + 1) != ']') {
        to = pattern.codePointAt(i + 1);
        i += 1 + Character.charCount(to);
      }
      if (from > to) {
        throw wrong(
            "the range %s-%s is empty".formatted(Character.toString(from), Character.toString(to)));
      }
      if (from <= '/' && '/' <= to) {
        throw wrong("a slash between [ and ]");
      }
      spans.add(new Span(from, to));
    }
    if (i >= pattern.length()) {
      throw wrong("a [ without a ]");
    }
    letters.add(new Letter(negated ? Letter.without(spans) : List.copyOf(spans), false));
    return i + 1;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Glob glob && text.equals(glob.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
