package org.braid.code;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** How the compiler has strings joined. */
final class JoinedStringsTest {
  @Test
  void stringsAreJoinedWithoutClassesMadeForIt() throws IOException {
    try (InputStream in = CodeFamily.class.getResourceAsStream("CodeFamily.class")) {
      assertNotNull(in);
      String names = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
      assertTrue(names.contains("java/lang/StringBuilder"), "it joins strings");
      assertFalse(names.contains("makeConcatWithConstants"), "the JVM is to make classes for it");
    }
  }
}
