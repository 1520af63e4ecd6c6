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
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
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

  /** Blocks of its pool have the ids of those that are converted, on the same DataNodes. */
  @Test
  void theFilesOfANameNodeWithoutBraidStayThoseOfPlainHdfs() throws Exception {
    try (FederatedFixture fixture = new FederatedFixture(directory, Map.of())) {
      int plain = fixture.addPlainNameNode();
      byte[] content = new byte[9 * FederatedFixture.BLOCK];
      byte[] other = new byte[content.length];
      RANDOM.nextBytes(content);
      RANDOM.nextBytes(other);
      fixture.write(0, FILE, content);
      fixture.write(plain, FILE, other);
      assertEquals(fixture.ids(0, FILE), fixture.ids(plain, FILE), "the same block ids");

      fixture.convert(0, FILE);
      assertArrayEquals(content, ClusterFixture.read(fixture.fs(0), FILE));
      assertPlain(fixture, plain, other);

      fixture.hdfs.stopDataNode(fixture.sharedNode(FILE));
      fixture.awaitDead();
      try (FileSystem braid = fixture.braid(0)) {
        assertArrayEquals(content, ClusterFixture.read(braid, FILE));
      }
      fixture.repair(0);
      assertArrayEquals(content, ClusterFixture.read(fixture.fs(0), FILE));
      assertTrue(fixture.healthy(0));
      assertPlain(fixture, plain, other);
    }
  }

  /** A file has its three replicas, also by what DataNodes report, and nothing stands beside it. */
  private static void assertPlain(FederatedFixture fixture, int nameNode, byte[] content)
      throws Exception {
    fixture.hdfs.triggerBlockReports();
    fixture.awaitReplicas(nameNode, FILE, 3);
    DistributedFileSystem fs = fixture.fs(nameNode);
    List<String> names = new ArrayList<>();
    for (FileStatus status : fs.listStatus(new Path("/"))) {
      names.add(status.getPath().getName());
    }
    assertEquals(List.of("d"), names);
    assertEquals(Map.of(), fs.getXAttrs(new Path(FILE)));
    assertEquals(3, fs.getFileStatus(new Path(FILE)).getReplication());
    assertArrayEquals(content, ClusterFixture.read(fs, FILE));
    try (FileSystem braid = fixture.braid(nameNode)) {
      assertArrayEquals(content, ClusterFixture.read(braid, FILE));
    }
  }
}
