package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.fs.FileSystem;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two NameNodes that share their DataNodes: each block pool has blocks of the same ids, and each
 * NameNode's coordinator works on its own.
 */
final class FederationTest {
  private static final Random RANDOM = Seeds.random(FederationTest.class);
  private static final String FILE = "/d/f";

  @TempDir private File directory;

  @Test
  void eachNameNodeHasItsFilesConvertedReadAndRepaired() throws Exception {
    try (FederatedFixture fixture = new FederatedFixture(directory, Map.of())) {
      List<byte[]> contents = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        byte[] content = new byte[9 * FederatedFixture.BLOCK + 77 * i];
        RANDOM.nextBytes(content);
        contents.add(content);
        fixture.write(i, FILE, content);
      }
      assertEquals(
          fixture.ids(0, FILE).subList(0, 9),
          fixture.ids(1, FILE).subList(0, 9),
          "the same block ids");
      for (int i = 0; i < 2; i++) {
        fixture.convert(i, FILE);
        assertArrayEquals(contents.get(i), ClusterFixture.read(fixture.fs(i), FILE));
      }

      fixture.hdfs.stopDataNode(fixture.sharedNode(FILE, FILE));
      fixture.awaitDead();
      for (int i = 0; i < 2; i++) {
        try (FileSystem braid = fixture.braid(i)) {
          assertArrayEquals(contents.get(i), ClusterFixture.read(braid, FILE));
        }
      }
      fixture.repair(0);
      assertArrayEquals(contents.get(0), ClusterFixture.read(fixture.fs(0), FILE));
      assertFalse(fixture.healthy(1), "the other pool was repaired, too");
      fixture.repair(1);
      assertArrayEquals(contents.get(1), ClusterFixture.read(fixture.fs(1), FILE));
      for (int i = 0; i < 2; i++) {
        assertTrue(fixture.healthy(i));
      }
    }
  }

  /** As {@code hdfs dfsadmin -refreshNamenodes} tells them. */
  @Test
  void aNameNodeThatDataNodesLearnOfWhileTheyRunHasItsFilesConverted() throws Exception {
    try (FederatedFixture fixture = new FederatedFixture(directory, Map.of())) {
      byte[] content = new byte[7 * FederatedFixture.BLOCK + 5];
      RANDOM.nextBytes(content);
      fixture.write(0, FILE, content);
      fixture.convert(0, FILE);
      int added = fixture.addNameNode();
      fixture.write(added, FILE, content);
      fixture.convert(added, FILE);
      for (int i : List.of(0, added)) {
        assertTrue(fixture.healthy(i));
        assertArrayEquals(content, ClusterFixture.read(fixture.fs(i), FILE));
      }
    }
  }
}
