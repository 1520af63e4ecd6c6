package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.key.KeyProvider;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.ConvertRequest;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files in encryption zones are encoded as they are stored, and nobody needs their keys for it. */
final class EncryptionZoneTest {
  private static final Random RANDOM = Seeds.random(EncryptionZoneTest.class);
  private static final int BLOCK = ClusterFixture.BLOCK;
  private static final String PROVIDER = "hadoop.security.key.provider.path";

  @TempDir private static java.nio.file.Path keys;

  private ClusterFixture fixture;

  @BeforeEach
  void start() throws Exception {
    java.nio.file.Path store = java.nio.file.Files.createTempDirectory(keys, "zone");
    fixture =
        new ClusterFixture(6, 8, Map.of(PROVIDER, "jceks://file" + store.resolve("keys.jceks")));
    zone("/zone", "one");
  }

  @AfterEach
  void stop() throws Exception {
    fixture.close();
  }

  private void zone(String path, String key) throws Exception {
    provider().createKey(key, new KeyProvider.Options(fixture.hdfs.configuration()));
    provider().flush();
    fixture.ear(path, "rs-3-2");
    fixture.fs.createEncryptionZone(new Path(path), key);
  }

  private KeyProvider provider() {
    return fixture.hdfs.nameNode().getNamesystem().getProvider();
  }

  @Test
  void aFileOfAZoneIsConvertedReadWithoutANodeRepairedAppendedToAndRestored() throws Exception {
    fixture.write("/zone/f", 6 * BLOCK + 100, 3, RANDOM);
    Path file = new Path("/zone/f");
    String sum = fixture.fs.getFileChecksum(file).toString();
    byte[] stored = raw("/zone/f", fixture.fs);
    assertFalse(java.util.Arrays.equals(fixture.content("/zone/f"), stored), "is not encrypted");
    fixture.convertAll("rs-3-2", "/zone/f");
    fixture.assertConverted("/zone/f");
    fixture.assertReads("/zone/f");

    fixture.hdfs.stopNode(fixture.heaviestNode());
    fixture.assertReadsDegraded("/zone/f");
    try (FileSystem braid = braid()) {
      assertEquals(sum, braid.getFileChecksum(file).toString());
      assertArrayEquals(stored, raw("/zone/f", braid));
      try (FSDataInputStream in = braid.open(file)) {
        byte[] part = new byte[BLOCK];
        in.readFully(2 * BLOCK + 5, part);
        byte[] content = fixture.content("/zone/f");
        assertArrayEquals(
            java.util.Arrays.copyOfRange(content, 2 * BLOCK + 5, 3 * BLOCK + 5), part);
      }
    }
    assertEquals(List.of(), fixture.repair("/zone/f", "chain").unrepairable());
    fixture.assertReads("/zone/f");
    assertEquals(sum, fixture.fs.getFileChecksum(file).toString());
    fixture.startAll();

    try (FSDataOutputStream out = fixture.fs.append(file)) {
      out.write(new byte[] {1, 2, 3});
    }
    assertEquals(6 * BLOCK + 103, fixture.fs.getFileStatus(file).getLen());
    try (Cluster cluster = fixture.braid()) {
      cluster.restore("/zone/f", Progress.SILENT);
    }
    fixture.awaitReplicas("/zone/f", 3);
    assertArrayEquals(
        java.util.Arrays.copyOf(stored, 6 * BLOCK + 100),
        java.util.Arrays.copyOf(raw("/zone/f", fixture.fs), 6 * BLOCK + 100));
  }

  /** What DataNodes store. */
  private static byte[] raw(String path, FileSystem fs) throws IOException {
    return ClusterFixture.read(fs, "/.reserved/raw" + path);
  }

  private FileSystem braid() throws IOException {
    Configuration conf = fixture.hdfs.configuration();
    conf.set("fs.hdfs.impl", "org.braid.hdfs.client.BraidFileSystem");
    return FileSystem.newInstance(FileSystem.getDefaultUri(conf), conf);
  }

  @Test
  void aZoneWhoseKeyIsGoneIsConvertedAndRepaired() throws Exception {
    fixture.write("/zone/f", 6 * BLOCK, 3, RANDOM);
    byte[] stored = raw("/zone/f", fixture.fs);
    provider().deleteKey("one");
    provider().flush();
    fixture.convertAll("rs-3-2", "/zone/f");
    fixture.assertConverted("/zone/f");
    fixture.hdfs.stopNode(fixture.heaviestNode());
    assertEquals(List.of(), fixture.repair("/zone/f", "chain").unrepairable());
    assertArrayEquals(stored, raw("/zone/f", fixture.fs));
    fixture.startAll();
    fixture.assertClean("/zone/f");
  }

  @Test
  void filesOfDifferentZonesShareNoStripe() throws Exception {
    zone("/other", "two");
    fixture.fs.mkdirs(new Path("/plain"));
    List<String> places = List.of("/zone", "/other", "/plain");
    for (int i = 0; i < 6; i++) {
      for (String place : places) {
        fixture.write(place + "/f" + i, BLOCK, 3, RANDOM);
      }
    }
    for (ConvertRequest.Group group : ConvertRequest.Group.values()) {
      assertApart(places, group);
    }
  }

  private void assertApart(List<String> places, ConvertRequest.Group group) throws Exception {
    fixture.convert(
        new ConvertRequest.Method(
            ConvertRequest.Encoder.CORE_RACK,
            group,
            ConvertRequest.Encode.GATHER,
            ConvertRequest.Homes.EVEN),
        "rs-3-2",
        places.toArray(String[]::new));
    Map<Long, String> placeOf = new HashMap<>();
    for (String place : places) {
      for (StoredFile file : fixture.files(place)) {
        assertEquals(1, file.replication(), file.path());
        file.blocks().forEach(block -> placeOf.put(block.block().id(), place));
      }
    }
    int stripes = 0;
    for (StripeStatus status : fixture.stripes()) {
      Set<String> shared = new HashSet<>();
      for (Member member : status.stripe().members()) {
        if (!member.isVirtual() && placeOf.containsKey(member.block().id())) {
          shared.add(placeOf.get(member.block().id()));
        }
      }
      assertEquals(1, shared.size(), group + ": " + shared);
      stripes++;
    }
    assertEquals(6, stripes);
    try (Cluster cluster = fixture.braid()) {
      for (String place : places) {
        cluster.restore(place, Progress.SILENT);
      }
    }
    for (String place : places) {
      for (StoredFile file : fixture.files(place)) {
        fixture.awaitReplicas(file.path(), 3);
      }
    }
  }

  @Test
  void whereTheRootIsAZoneFilesAreRefused() throws Exception {
    try (ClusterFixture whole =
        new ClusterFixture(3, 5, Map.of(PROVIDER, "jceks://file" + keys.resolve("root.jceks")))) {
      KeyProvider provider = whole.hdfs.nameNode().getNamesystem().getProvider();
      provider.createKey("root", new KeyProvider.Options(whole.hdfs.configuration()));
      provider.flush();
      whole.fs.createEncryptionZone(new Path("/"), "root");
      whole.write("/f", 3 * BLOCK, 3, RANDOM);
      var skipped = whole.convert("rs-3-2", "/f").skipped();
      assertEquals("ENCRYPTED_ROOT", skipped.get(0).cause());
      assertEquals(3, whole.files("/f").get(0).replication());
    }
  }
}
