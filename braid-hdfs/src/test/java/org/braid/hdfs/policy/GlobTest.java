package org.braid.hdfs.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class GlobTest {
  private final Random random = Seeds.random(GlobTest.class);

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "/logs /logs true",
        "/logs /logs/a/b true",
        "/logs/ /logs/a true",
        "/logs /logs2 false",
        "/ /a/b true",
        "/logs/* /logs/a true",
        "/logs/* /logs/a/b false",
        "/logs/** /logs/a/b true",
        "/logs/**/x.gz /logs/x.gz true",
        "/logs/**/x.gz /logs/a/b/x.gz true",
        "/logs/**/x.gz /logs/a/bx.gz false",
        "/**/*.parquet /a/b.parquet true",
        "/user/{ann,bob}/** /user/bob/f true",
        "/user/{ann,bob}/** /user/eve/f false",
        "/{a,b/c}/d /b/c/d true",
        "/d/202[0-4]-?? /d/2024-11 true",
        "/d/202[0-4]-?? /d/2025-11 false",
        "/d/[!a]* /d/b1 true",
        "/d/[!a]* /d/a1 false",
        "/d/[]] /d/] true",
        "/d/a\\* /d/a* true",
        "/d/a\\* /d/ab false",
        "/d/a.c /d/abc false",
        "/d/\uD83D\uDE00? /d/\uD83D\uDE00\uD83D\uDE00 true"
      })
  void takesPaths(String glob, String path, boolean taken) {
    assertEquals(taken, Glob.parse(glob).matches(path));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "logs|not absolute",
        "''|not absolute",
        "/a//b|empty name",
        "/a/../b|no name of a file",
        "/a**|write it between slashes",
        "/[ab|a [ without a ]",
        "/ab]|a ] without a [",
        "/[b-a]|the range b-a is empty",
        "/[.-0]|a slash between",
        "/{a,b|a { without a }",
        "/a}|a } without a {",
        "/{a,{b,c}}|alternatives within alternatives",
        "/a\\|a backslash at the end",
        "/{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}|more than 64 alternatives",
        "/{a,b}c{,d}/{x,../y}|no name of a file"
      })
  void refusesWhatIsNoPattern(String glob, String why) {
    String message =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> Glob.parse(glob)).getMessage());
    assertTrue(message.contains(why), message);
  }

  @Test
  void namesWhereItsFilesAre() {
    assertEquals(List.of("/logs/a"), Glob.parse("/logs/a/*.gz").roots());
    assertEquals(List.of("/logs/a"), Glob.parse("/logs/a").roots());
    assertEquals(List.of("/"), Glob.parse("/**/x").roots());
    assertEquals(List.of("/u/ann", "/u/bob"), Glob.parse("/u/{ann,bob}/**").roots());
    assertEquals(List.of("/u/a*"), Glob.parse("/u/a\\*/b?").roots());
  }

  /** All paths of small names, which every pair of the small patterns below tells apart. */
  private static List<String> paths() {
    List<String> names = new ArrayList<>();
    for (String one : List.of("a", "b", "c")) {
      names.add(one);
      for (String two : List.of("a", "b", "c")) {
        names.add(one + two);
      }
    }
    List<String> paths = new ArrayList<>();
    List<String> level = List.of("");
    for (int depth = 0; depth < 3; depth++) {
      List<String> next = new ArrayList<>();
      for (String parent : level) {
        names.forEach(name -> next.add(parent + "/" + name));
      }
      paths.addAll(next);
      level = next;
    }
    return paths;
  }

  private String anyGlob() {
    List<String> letters = List.of("a", "b", "*", "?", "[ab]", "[!a]", "[a-c]");
    StringBuilder glob = new StringBuilder();
    for (int i = 1 + random.nextInt(2); i > 0; i--) {
      glob.append('/');
      if (random.nextInt(5) == 0) {
        glob.append("**");
        continue;
      }
      String first = letters.get(random.nextInt(letters.size()));
      String second = random.nextBoolean() ? letters.get(random.nextInt(letters.size())) : "";
      glob.append(first).append(first.equals("*") && second.equals("*") ? "" : second);
    }
    return glob.toString();
  }

  /** Tries all that stars could stand for. */
  private static boolean plainly(String[] glob, int i, String[] path, int j) {
    if (i == glob.length) {
      return j == path.length;
    }
    if (glob[i].equals("**")) {
      return plainly(glob, i + 1, path, j) || (j < path.length && plainly(glob, i, path, j + 1));
    }
    return j < path.length && name(glob[i], path[j]) && plainly(glob, i + 1, path, j + 1);
  }

  private static boolean name(String glob, String name) {
    if (glob.isEmpty()) {
      return name.isEmpty();
    }
    if (glob.startsWith("*")) {
      return name(glob.substring(1), name) || (!name.isEmpty() && name(glob, name.substring(1)));
    }
    int end = glob.startsWith("[") ? glob.indexOf(']') + 1 : 1;
    String letter = glob.substring(0, end);
    if (name.isEmpty()) {
      return false;
    }
    char c = name.charAt(0);
    boolean fits =
        switch (letter) {
          case "?", "[a-c]" -> true;
          case "[ab]" -> c != 'c';
          case "[!a]" -> c != 'a';
          default -> letter.charAt(0) == c;
        };
    return fits && name(glob.substring(end), name.substring(1));
  }

  private static boolean plainly(String glob, String path) {
    boolean literal = glob.matches("[/abc]*");
    return plainly(
        (literal ? glob + "/**" : glob).substring(1).split("/"),
        0,
        path.substring(1).split("/"),
        0);
  }

  @Test
  void randomPatternsTakeAndOverlapAsTryingSays() {
    List<String> paths = paths();
    for (int round = 0; round < 60; round++) {
      String one = anyGlob();
      String other = anyGlob();
      Glob first = Glob.parse(one);
      Glob second = Glob.parse(other);
      boolean common = false;
      for (String path : paths) {
        boolean taken = plainly(one, path);
        assertEquals(taken, first.matches(path), () -> one + " and " + path);
        common |= taken && plainly(other, path);
      }
      assertEquals(common, first.overlaps(second), one + " and " + other);
      assertEquals(common, second.overlaps(first), other + " and " + one);
    }
  }

  @Test
  void patternsOfSnapshotsAreKnown() {
    for (String text :
        List.of(
            "/d/.snapshot/s1/**",
            "/d/.snapshot",
            "/d/*/.snapshot/f",
            "/d/{a,.snapshot}/f",
            "/d/\\.snapshot/s",
            "/d/[.]snapshot/s")) {
      assertTrue(Glob.parse(text).namesSnapshots(), text);
    }
    for (String text : List.of("/d/**", "/d/.snapshots", "/d/a.snapshot", "/d/.snap*", "/.s")) {
      assertFalse(Glob.parse(text).namesSnapshots(), text);
    }
  }
}
