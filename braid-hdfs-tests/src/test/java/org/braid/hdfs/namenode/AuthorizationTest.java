package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.braid.testing.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AuthorizationTest {
  @TempDir Path directory;

  @Test
  void staysKnownWhenHdfsReadsItsRulesAnew() throws Exception {
    try (NameNodeFixture fixture =
        NameNodeFixture.start(directory, 1, 1, Map.of("hadoop.security.authorization", "true"))) {
      assertEquals(0, fixture.stripes().size());
      fixture.cluster.nameNode().getRpcServer().refreshServiceAcl();
      Await.until(
          "the service to be known again",
          () -> {
            try {
              return fixture.stripes().isEmpty();
            } catch (IOException e) {
              return false;
            }
          });
    }
  }

  @Test
  void theRuleCounts() {
    IOException denied =
        assertThrows(
            IOException.class,
            () ->
                NameNodeFixture.start(
                        directory,
                        1,
                        1,
                        Map.of(
                            "hadoop.security.authorization",
                            "true",
                            BraidNameNodePlugin.ACL_KEY,
                            "nobody"))
                    .close());
    assertTrue(
        String.valueOf(denied.getMessage()).contains("is not authorized for protocol"),
        denied.getMessage());
  }
}
