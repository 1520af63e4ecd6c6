package org.braid.hdfs.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PolicyJsonTest {
  private static final Instant AT = Instant.parse("2026-11-23T15:00:00Z");

  private static PolicyDocument document() {
    return PolicyDocument.NONE
        .with(
            new PolicySet(
                List.of(
                    Policy.of(
                        "hot",
                        true,
                        Action.RESTORE,
                        Map.of("path", "/**", "read-within", "90m", "min-size", "1500")),
                    Policy.of(
                        "cold",
                        false,
                        Action.CONVERT,
                        Map.ofEntries(
                            Map.entry("path", "/logs/**"),
                            Map.entry("unread-for", "30d"),
                            Map.entry("max-size", "64m"),
                            Map.entry("max-blocks", "7"),
                            Map.entry("owner", "etl, hive"),
                            Map.entry("code", "rs-6-3"),
                            Map.entry("target-racks", "5"),
                            Map.entry("max-per-rack", "2"),
                            Map.entry("group", "order"),
                            Map.entry("window", "22:00-06:00"),
                            Map.entry("zone", "Europe/Berlin"))))))
        .pausing(Pausable.CONVERT, AT)
        .pausing(Pausable.REPAIR, Instant.MAX)
        .asChange("ann", AT, "cold is disabled");
  }

  @Test
  void readsWhatItWrites() {
    PolicyDocument document = document();
    PolicyDocument read = PolicyJson.read(PolicyJson.write(document));
    assertEquals(document, read);
    assertEquals("etl,hive", read.policies().named("cold").orElseThrow().settings().get("owner"));
    assertEquals(1, read.revision());
  }

  /** What is stored stays a text, as earlier releases read nothing else. */
  @Test
  void countsAreShownAsNumbersAndStoredAsTexts() {
    Policy cold = document().policies().named("cold").orElseThrow();
    Map<String, Object> shown = PolicyJson.shown(cold);
    assertEquals(7L, shown.get("max_blocks"));
    assertEquals(2L, shown.get("max_per_rack"));
    assertEquals(5L, shown.get("target_racks"));
    assertEquals(1L, shown.get("parity_copies"));
    assertEquals("64m", shown.get("max_size"));
    assertEquals("30d", shown.get("unread_for"));
    assertEquals(false, shown.get("enabled"));
    String stored = PolicyJson.write(document());
    assertTrue(stored.contains("\"parity_copies\" : \"1\""), stored);
  }

  @Test
  void pausesEnd() {
    PolicyDocument document = document();
    assertEquals(Optional.of(AT), document.pausedUntil(Pausable.CONVERT, AT.minusSeconds(1)));
    assertEquals(Optional.empty(), document.pausedUntil(Pausable.CONVERT, AT));
    assertEquals(Optional.of(Instant.MAX), document.pausedUntil(Pausable.REPAIR, AT));
    assertEquals(
        Optional.empty(), document.resuming(Pausable.REPAIR).pausedUntil(Pausable.REPAIR, AT));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"format\" : 1|\"format\" : 2|it has format 2, this version of Braid reads format 1",
        "\"format\" : 1|\"format\" : \"1\"|no JSON object with a format",
        "\"change\"|\"changed\"|keys that are not known: changed",
        "\"unread_for\"|\"unseen_for\"|policy cold: setting \"unseen-for\" is not known",
        "\"read_within\" : \"90m\"|\"read_within\" : \"40d\"|hot would restore files that cold",
        "\"enabled\" : false|\"enabled\" : \"no\"|policy cold: enabled is neither true nor false",
        "\"action\" : \"restore\"|\"action\" : \"melt\"|policy hot: action \"melt\" is not known",
        "\"min_size\" : \"1500\"|\"min_size\" : 1500|\"min_size\" is missing or no text",
        "\"repair\" : \"|\"shrub\" : \"|pause \"shrub\" is not known",
        "\"at\" : \"2026|\"at\" : \"then|is no moment",
        "\"name\" : \"hot\"|\"name\" : \"hot\", \"name\" : \"hot\"|Duplicate",
        "}|}}|no JSON"
      })
  void refusesWhatItDoesNotUnderstand(String from, String to, String why) {
    String text = PolicyJson.write(document().with(document().policies()));
    assertTrue(text.contains(from), text);
    String broken =
        why.contains("would restore")
            ? text.replace("\"enabled\" : false", "\"enabled\" : true").replace(from, to)
            : from.equals("}") ? text.strip() + "}" : text.replace(from, to);
    String message =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> PolicyJson.read(broken))
                .getMessage());
    assertTrue(message.contains(why), message);
  }

  @Test
  void refusesHalfAFile() {
    String text = PolicyJson.write(document());
    for (int length = 0; length < text.strip().length(); length += 7) {
      String half = text.substring(0, length);
      assertThrows(IllegalArgumentException.class, () -> PolicyJson.read(half), half);
    }
  }
}
