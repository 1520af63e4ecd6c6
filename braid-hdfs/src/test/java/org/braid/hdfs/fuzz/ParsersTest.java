package org.braid.hdfs.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What honest senders send, changed a little. {@link ParsersFuzz} searches for more, for hours. */
final class ParsersTest {
  private static final int MUTATIONS = 3000;

  @ParameterizedTest
  @EnumSource
  void whateverComesIsReadOrRefused(ParserTarget target) {
    target.parser().feedMutations(Seeds.random(ParsersTest.class), MUTATIONS);
  }

  @Test
  void eachParserIsFuzzed() {
    Set<String> fuzzed =
        Arrays.stream(ParsersFuzz.class.getDeclaredMethods())
            .filter(method -> !method.isSynthetic())
            .map(Method::getName)
            .collect(Collectors.toSet());
    Set<String> targets =
        Arrays.stream(ParserTarget.values())
            .map(ParserTarget::fuzzTest)
            .collect(Collectors.toSet());
    assertEquals(targets, fuzzed);
  }
}
