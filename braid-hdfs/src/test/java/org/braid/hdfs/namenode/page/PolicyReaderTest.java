package org.braid.hdfs.namenode.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.ipc.CallerContext;
import org.braid.hdfs.policy.PolicyDocument;
import org.braid.hdfs.policy.PolicyJson;
import org.junit.jupiter.api.Test;

final class PolicyReaderTest {
  private final List<String> reads = new ArrayList<>();
  private final List<String> contexts = new ArrayList<>();
  private Optional<PolicyReader.Found> newest = Optional.empty();
  private String failure = "";
  private String unreadable = "";
  private final PolicyReader reader =
      new PolicyReader(
          new PolicyReader.Source() {
            @Override
            public Optional<PolicyReader.Found> newest() throws IOException {
              if (!unreadable.isEmpty()) {
                throw new IOException(unreadable);
              }
              return newest;
            }

            @Override
            public String read(PolicyReader.Found file) throws IOException {
              reads.add(file.name());
              contexts.add(context());
              if (!failure.isEmpty()) {
                throw new IOException(failure);
              }
              long revision = Long.parseLong(file.name().substring(0, 8));
              return PolicyJson.write(
                  new PolicyDocument(
                      revision,
                      "ada",
                      Instant.EPOCH,
                      "resume all",
                      PolicyDocument.NONE.policies(),
                      PolicyDocument.NONE.pauses()));
            }
          });

  private static String context() {
    CallerContext current = CallerContext.getCurrent();
    return current == null ? "none" : String.valueOf(current.getContext());
  }

  private static Optional<PolicyReader.Found> file(int revision) {
    return Optional.of(new PolicyReader.Found("%08d.json".formatted(revision), 200));
  }

  private PolicyReader.Known known() {
    return reader.known().orElseThrow();
  }

  @Test
  void nothingIsKnownBeforeTheFirstLook() {
    assertEquals(Optional.empty(), reader.known());
    reader.look();
    assertEquals(PolicyDocument.NONE, known().document());
    assertEquals(List.of(), reads);
  }

  @Test
  void eachChangeIsReadOnce() {
    newest = file(1);
    reader.look();
    reader.look();
    newest = file(2);
    reader.look();
    reader.look();
    assertEquals(List.of("00000001.json", "00000002.json"), reads);
    assertEquals(2, known().document().revision());
  }

  /** So that HDFS's audit log tells these reads from those of users. */
  @Test
  void itReadsInAContextOfItsOwn() {
    CallerContext before = CallerContext.getCurrent();
    try {
      CallerContext.setCurrent(null);
      newest = file(1);
      reader.look();
      assertEquals("none", context());
      newest = file(2);
      failure = "no DataNode has it";
      reader.look();
      assertEquals("none", context());
      assertEquals(List.of("braid_page", "braid_page"), contexts);
    } finally {
      CallerContext.setCurrent(before);
    }
  }

  @Test
  void whatCannotBeReadIsSaidAndTriedAgain() {
    newest = file(1);
    failure = "no DataNode has it";
    reader.look();
    assertEquals("the policies cannot be read: no DataNode has it", known().problem());
    failure = "";
    reader.look();
    assertEquals("", known().problem());
    assertEquals(1, known().document().revision());
  }

  @Test
  void aDirectoryThatCannotBeReadIsLookedAtAgain() {
    unreadable = "the path is broken";
    reader.look();
    assertEquals("the policies cannot be read: the path is broken", known().problem());
    unreadable = "";
    reader.look();
    assertEquals("", known().problem());
  }

  @Test
  void whatIsTooLargeIsNotRead() {
    newest = Optional.of(new PolicyReader.Found("00000001.json", PolicyReader.LARGEST + 1));
    reader.look();
    assertTrue(known().problem().contains("at most 1048576 are read"), known().problem());
    assertEquals(List.of(), reads);
  }

  @Test
  void aNameNodeThatIsNotActiveAnyMoreForgets() {
    newest = file(1);
    reader.look();
    reader.forget();
    assertEquals(Optional.empty(), reader.known());
  }
}
