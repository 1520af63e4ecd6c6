package org.braid.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class WorkloadSettingsTest {
  private static final SourceLocation PLACE = new SourceLocation("a.yaml", 7);

  private static WorkloadSettings with(String key, String text) throws ExperimentException {
    return WorkloadSettings.defaults(new Fake())
        .with(Map.of(key, new WorkloadSettings.Value(text, PLACE)));
  }

  private static Thread.State constant(String text) throws ExperimentException {
    return with("shape", text).constant("shape", Thread.State.class);
  }

  private static void refused(String message, Executable action) {
    assertEquals(message, assertThrows(ExperimentException.class, action).getMessage());
  }

  @Test
  void valuesAreReadWithTheirType() throws Exception {
    assertEquals(8 << 20, with("size", "8m").size("size"));
    assertEquals(12.5e6, with("rate", "100mbit").rate("rate"));
    assertEquals(3, with("blocks", "3").integer("blocks", 1));
    assertEquals(2.5, with("blocks", "2.5").number("blocks", 0));
    assertEquals(true, with("shape", "yes").flag("shape"));
    assertEquals(List.of("a", "b", "c"), with("shape", "a, b c").list("shape"));
    assertEquals(List.of(), with("shape", "").list("shape"));
    assertEquals(Thread.State.TIMED_WAITING, constant("timed-waiting"));
    assertEquals("8", WorkloadSettings.defaults(new Fake()).text("blocks"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2.5|a.yaml:7: blocks: \"2.5\" is not a whole number",
        "0|a.yaml:7: blocks: 0 is too small: write a whole number of at least 1",
        "3000000000|a.yaml:7: blocks: 3000000000 is too large: at most 2147483647",
      })
  void wrongWholeNumbersNameKeyAndLine(String text, String message) {
    refused(message, () -> with("blocks", text).integer("blocks", 1));
  }

  @Test
  void otherWrongValuesNameKeyAndLine() {
    refused(
        "a.yaml:7: shape: \"timed_waiting\" is none of new, runnable, blocked, waiting,"
            + " timed-waiting, terminated",
        () -> constant("timed_waiting"));
    refused(
        "a.yaml:7: rate: \"-1mbit\" is not a rate: write a number with kbit, mbit or gbit, as in"
            + " 100mbit",
        () -> with("rate", "-1mbit").rate("rate"));
    refused(
        "a.yaml:7: blocks: -0.5 is too small: write a number of at least 0",
        () -> with("blocks", "-0.5").number("blocks", 0));
    refused(
        "a.yaml:7: blocks: 1e999 is too large: at most 1.7976931348623157E308",
        () -> with("blocks", "1e999").number("blocks", 0));
    refused(
        "a.yaml:7: blocks: \"many\" is not a number",
        () -> with("blocks", "many").number("blocks", 0));
    refused(
        "a.yaml:7: shape: \"maybe\" is neither true nor false",
        () -> with("shape", "maybe").flag("shape"));
    refused(
        "a.yaml:7: unknown setting \"ratte\"; did you mean \"rate\"? known: blocks, code, rate,"
            + " shape, size",
        () -> with("ratte", "1mbit"));
    refused(
        "a.yaml:7: shape: no",
        () ->
            with("shape", "x")
                .as(
                    "shape",
                    text -> {
                      throw new IllegalArgumentException("no");
                    }));
  }

  @Test
  void settingsAreWrittenAndReadBack() throws Exception {
    WorkloadSettings settings = with("shape", "50% of a b");
    assertEquals(
        "blocks=8 code=a rate=100mbit shape=50%25%20of%20a%20b size=1m", settings.toString());
    assertEquals("50% of a b", WorkloadSettings.parse(settings.toString()).get("shape"));
    assertEquals(5, WorkloadSettings.parse(settings.toString()).size());
  }
}
