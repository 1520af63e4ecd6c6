package org.braid.hdfs.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.Descriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FieldDescriptor;
import org.braid.hdfs.proto.BraidProtos;
import org.junit.jupiter.api.Test;

/**
 * Clients, commands and plugins of different releases work beside each other: a field keeps its
 * number and type for ever, and no message demands a field that others do not send. {@code
 * protocol.txt} lists all fields that there have been.
 */
final class ProtocolTest {
  private static final String RECORD = "/protocol.txt";

  private static String line(FieldDescriptor field) {
    String type =
        switch (field.getJavaType()) {
          case MESSAGE -> field.getMessageType().getName();
          case ENUM -> field.getEnumType().getName();
          default -> field.getType().name().toLowerCase(Locale.ROOT);
        };
    String label = field.isRequired() ? "required" : field.isRepeated() ? "repeated" : "optional";
    return "%s %d %s %s"
        .formatted(field.getContainingType().getName(), field.getNumber(), label, type);
  }

  private static Set<String> present() {
    Set<String> lines = new TreeSet<>();
    for (Descriptor message : BraidProtos.getDescriptor().getMessageTypes()) {
      message.getFields().forEach(field -> lines.add(line(field)));
    }
    return lines;
  }

  private static Set<String> recorded() throws Exception {
    try (InputStream in = ProtocolTest.class.getResourceAsStream(RECORD)) {
      assertNotNull(in);
      List<String> lines = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
      return new TreeSet<>(lines);
    }
  }

  @Test
  void messagesOfOtherReleasesAreUnderstood() throws Exception {
    Set<String> recorded = recorded();
    Set<String> present = present();
    Set<String> changed = new TreeSet<>(recorded);
    changed.removeAll(present);
    assertEquals(Set.of(), changed, "fields that other releases send and that are gone or changed");
    Set<String> messages =
        recorded.stream().map(line -> line.split(" ", 2)[0]).collect(Collectors.toSet());
    Set<String> demanded =
        present.stream()
            .filter(line -> !recorded.contains(line) && line.contains(" required "))
            .filter(line -> messages.contains(line.split(" ", 2)[0]))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(Set.of(), demanded, "fields that other releases do not send");
    if (Boolean.getBoolean("braid.freeze")) {
      Files.write(Path.of("src/test/resources" + RECORD), present);
      return;
    }
    assertEquals(
        String.join("\n", recorded),
        String.join("\n", present),
        "fields that are not recorded yet: mvn -B verify -pl braid-hdfs -am -Dtest=ProtocolTest"
            + " -Dbraid.test.jvm=-Dbraid.freeze=true -Dsurefire.failIfNoSpecifiedTests=false");
  }
}
