package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.braid.hdfs.namenode.files.EnabledCodes;
import org.braid.hdfs.setting.EarSetting;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class EnabledCodesTest {
  private static EnabledCodes enabled(String text) {
    Configuration conf = new Configuration(false);
    conf.set(EnabledCodes.KEY, text);
    return EnabledCodes.of(conf);
  }

  private static String refusal(EnabledCodes codes, String name) {
    return String.valueOf(
        assertThrows(IllegalArgumentException.class, () -> codes.check(name)).getMessage());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rs-6-3",
        "rs-10-4",
        "rs-20-12",
        "lrc-12-2-2",
        "xorbas-10-6-5",
        "mxor-10-7",
        "clay-4-2-5",
        "clay-6-3-8",
        "rotated-rs-12-4-16",
        "hitchhiker-xor-10-4",
        "flr-n14-g4-l2"
      })
  void codesOfUsualSizesMayBeAskedForUnlessSomebodySaysOtherwise(String code) {
    EnabledCodes.of(new Configuration(false)).check(code);
    assertTrue(refusal(enabled("rep,rs-3-2"), code).contains("is not enabled"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rs-200-50|rs-200-50 has 250 blocks and 250 sub-blocks a stripe, the family rs is enabled up to 32 and 256: an administrator names larger codes themselves in braid.codes.enabled of the NameNode",
        "rs-200-56|has 256 blocks and 256 sub-blocks a stripe, at most 255 and 1024 are placed",
        "clay-10-4-11|has 14 blocks and 1792 sub-blocks a stripe",
        "clay-8-4-11|has 12 blocks and 768 sub-blocks",
        "clay-100000000-100000000-199999999|at most 255 and 1024",
        "stair-n32-r32-m1-e1-l0|has 1024 blocks",
        "rstair-n6-r5-m1-e2.4-l1|is not enabled: an administrator names it, or its family rstair, in braid.codes.enabled",
        "hlr-n8-r4-g2-l1|its family hlr",
        "rotated-rs-7-6-9|the coefficients of rotated-rs-7-6-9 have to be searched for",
        "fountain-3|no code is named",
        "rs-1111111111111111111111111111111111111111111111111111111111111111|at most 64 characters, not 67",
      })
  void othersAreRefusedWithNumbersInMoments(String code, String message) {
    EnabledCodes codes = EnabledCodes.of(new Configuration(false));
    String refusal = assertTimeout(Duration.ofSeconds(5), () -> refusal(codes, code));
    assertTrue(refusal.contains(message), refusal);
  }

  @Test
  void anAdministratorNamesLargerCodesButNotWithoutBound() {
    EnabledCodes codes = enabled("lrc, rs-200-50, clay-8-4-11 ,rstair,rs-250-250");
    for (String code : Set.of("lrc-12-2-2", "rs-200-50", "clay-8-4-11", "rstair-n6-r5-m1-e2-l1")) {
      codes.check(code);
    }
    assertTrue(refusal(codes, "rs-250-250").contains("has 500 blocks"));
    assertTrue(refusal(codes, "rs-6-3").contains("is not enabled"));
    assertTrue(refusal(codes, "lrc-60-2-2").contains("the family lrc is enabled up to 32"));
    assertTrue(refusal(enabled(""), "rs-6-3").contains("is not enabled"));
  }

  @Test
  void theCodeOfTheNameNodesOwnSettingIsEnabled() {
    Configuration conf = new Configuration(false);
    conf.set(EnabledCodes.KEY, "rs-6-3");
    conf.set("braid.ear.default", " rs-100-20,c=4");
    EnabledCodes codes = EnabledCodes.of(conf);
    assertDoesNotThrow(() -> codes.check("rs-100-20"));
    assertTrue(refusal(codes, "rs-100-19").contains("is not enabled"));
  }

  @Test
  void aPropertyThatNamesNoCodeIsRefused() {
    String refusal =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> enabled("rs,raid-5")).getMessage());
    assertTrue(refusal.startsWith("braid.codes.enabled: no code is named \"raid-5\""), refusal);
  }

  /** Otherwise nobody could ask for what the administrator meant, and nobody would say why. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "rs-6_3",
        "rs-63",
        "rs-6-",
        "rs-06-3",
        "rs-6-3-1",
        "lrc-10-2",
        "rs-200_50",
        "rs-200-050",
        "rotated-rs-7-6-9-1",
        "clay-4-2-5-k"
      })
  void aMisspeltCodeIsRefused(String code) {
    String refusal =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> enabled("rep," + code))
                .getMessage());
    assertTrue(
        refusal.startsWith("braid.codes.enabled: \"" + code + "\" is not a code: "), refusal);
  }

  /** What an attribute holds goes into a log. */
  @ParameterizedTest
  @ValueSource(strings = {"rs-6-3\nFATAL all is lost", "rs-6-3,c=1\u0007"})
  void aSettingIsShortAndCanBePrinted(String text) {
    assertRefused(text);
    assertRefused("rs-6-3," + "c".repeat(16_000));
  }

  private static void assertRefused(String text) {
    assertEquals(
        "a setting of %d characters: at most 200, all of which can be printed, are read"
            .formatted(text.length()),
        assertThrows(IllegalArgumentException.class, () -> EarSetting.parse(text)).getMessage());
  }
}
