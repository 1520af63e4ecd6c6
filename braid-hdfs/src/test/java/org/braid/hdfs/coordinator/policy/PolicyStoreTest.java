package org.braid.hdfs.coordinator.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.braid.hdfs.api.Policies;
import org.braid.hdfs.policy.PolicyDocument;
import org.braid.hdfs.policy.PolicyJson;
import org.junit.jupiter.api.Test;

final class PolicyStoreTest {
  private static final String NAME = PolicyStore.name(1);

  private static String problem(PolicyStore.Text text) throws IOException {
    Policies.Change change = PolicyStore.entry(NAME, text);
    assertEquals(NAME, change.file());
    assertTrue(change.document().isEmpty());
    return change.problem();
  }

  /** Else none of the others would be listed, and the policies that hold would seem not to. */
  @Test
  void theHistoryNamesChangesThatCannotBeRead() throws Exception {
    assertEquals("no JSON object with a format", problem(() -> ""));
    PolicyDocument second =
        PolicyDocument.NONE.asChange("ann", Instant.EPOCH, "a").asChange("ann", Instant.EPOCH, "b");
    assertEquals("it holds change 2", problem(() -> PolicyJson.write(second)));
    assertEquals(
        "no node has it",
        problem(
            () -> {
              throw new BlockMissingException("/f", "no node has it", 0);
            }));
    assertEquals(
        "checksum error",
        problem(
            () -> {
              throw new ChecksumException("checksum error", 0);
            }));
    assertEquals(
        "gone",
        problem(
            () -> {
              throw new FileNotFoundException("gone");
            }));
    PolicyDocument first = PolicyDocument.NONE.asChange("ann", Instant.EPOCH, "a");
    assertEquals(
        Optional.of(first), PolicyStore.entry(NAME, () -> PolicyJson.write(first)).document());
  }

  @Test
  void aHistoryThatHdfsDoesNotGiveIsAFailure() {
    assertThrows(
        ConnectException.class,
        () ->
            PolicyStore.entry(
                NAME,
                () -> {
                  throw new ConnectException("down");
                }));
  }

  /** Other machines would not see a change whose file has the digits of Arabic or Persian. */
  @Test
  void changesHaveTheSameNamesInAllLanguages() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
    try {
      assertEquals("00000012.json", PolicyStore.name(12));
    } finally {
      Locale.setDefault(before);
    }
  }
}
