package org.braid.hdfs.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HiddenDirectoriesTest {
  private static final String NUMBER = "/.reserved/.inodes/7";

  @ParameterizedTest
  @CsvSource({
    "/a, /a/b/f, ",
    "/a, /a/_f, ",
    "/a, /a/b._/f, ",
    "/a, /a/_x/f, /a/_x",
    "/a, /a/.x/b/f, /a/.x",
    "/a, /a/_x/.y/b/f, /a/_x/.y",
    "/, /_x/f, /_x",
    "/, /a/.Trash/f, /a/.Trash",
    "/a/_x, /a/_x/f, ",
    "/a/_x/, /a/_x/b/f, ",
    "/a/_x/b, /a/_x/b/f, ",
    "/a/_x/b/f, /a/_x/b/f, ",
    "/a/_x, /a/_x/.y/f, /a/_x/.y",
    "/a/_x, /a/_xy/f, /a/_xy",
    "/a/_xy, /a/_x/f, /a/_x",
    NUMBER + ", /a/_x/f, ",
    "/.reserved/.inodes/8, /a/_x/f, /a/_x"
  })
  void aCommandLeavesAloneWhatItDoesNotName(String named, String file, String hidden) {
    assertEquals(
        Optional.ofNullable(hidden),
        HiddenDirectories.below(List.of("/other", named)).around(file, NUMBER));
  }

  @Test
  void oneOfSeveralPathsThatNamesItIsEnough() {
    HiddenDirectories hidden = HiddenDirectories.below(List.of("/a", "/a/_x"));
    assertEquals(Optional.empty(), hidden.around("/a/_x/f", NUMBER));
    assertEquals(Optional.of("/a/.y"), hidden.around("/a/.y/f", NUMBER));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "/a/** /a/b/f false",
        "/a/** /a/b/_f false",
        "/a/** /a/_x/f true",
        "/a /a/.x/b/f true",
        "/** /a/b/.x/f true",
        "/a/*/f /a/_x/f true",
        "/a/?x/f /a/_x/f true",
        "/a/[a-z_]x/f /a/_x/f true",
        "/a/[!b]x/f /a/_x/f true",
        "/a/_x/** /a/_x/b/f false",
        "/a/_x /a/_x/b/f false",
        "/a/_*/f /a/_x/f false",
        "/a/\\_x/f /a/_x/f false",
        "/a/[._]x/f /a/_x/f false",
        "/a/{b,_x}/f /a/_x/f false",
        "/**/{.,_}*/** /a/b/_x/f false",
        "/**/_x/** /a/.y/_x/f true",
        "/**/_x/** /a/_x/.y/f true",
        "/**/.y/**/_x/** /a/.y/b/_x/f false",
        "/a/** /a/_x/_y true"
      })
  void aPolicyLeavesAloneWhatNoWildcardMayName(String glob, String file, boolean hidden) {
    Policy policy = policy(Action.CONVERT, Map.of("path", glob, "code", "rs-3-2"));
    assertTrue(Glob.parse(glob).matches(file), "the policy takes it");
    assertEquals(hidden, policy.hides(file).isPresent());
  }

  @Test
  void policiesThatConvertNothingTakeHiddenFilesAsOthers() {
    for (Action action : List.of(Action.RESTORE, Action.LEAVE)) {
      assertEquals(Optional.empty(), policy(action, Map.of("path", "/a")).hides("/a/_x/f"));
    }
  }

  @Test
  void theReasonsSayWhatToName() {
    String why =
        "it is in a directory whose name begins with . or _, which Hadoop's jobs pass over: to"
            + " convert it, name /a/_x";
    assertEquals(why + " itself", HiddenDirectories.reason("/a/_x"));
    assertEquals(
        why + " in the path of a policy before this one",
        HiddenDirectories.reasonOfPolicy("/a/_x"));
  }

  private static Policy policy(Action action, Map<String, String> settings) {
    return Policy.of("p", true, action, settings);
  }
}
