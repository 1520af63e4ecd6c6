package org.braid.hdfs.stripe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.braid.hdfs.proto.BraidProtos.DatanodeProto;
import org.braid.hdfs.proto.BraidProtos.FileProto;
import org.junit.jupiter.api.Test;

final class StatusCodecTest {
  private static final StoragePolicy ONE_SSD =
      new StoragePolicy("ONE_SSD", "SSD", List.of("SSD", "DISK"), List.of("SSD", "DISK"));

  private static StoredFile file(StoragePolicy policy, String storage) {
    Replica replica = new Replica("n", false, false, true, storage);
    BlockStatus block =
        new BlockStatus(new BlockIdentity(1, 2, 3), List.of(replica), 1, true, List.of());
    return new StoredFile(
        "/f",
        1,
        3,
        3,
        1,
        List.of(block),
        List.of(),
        "readers",
        Optional.empty(),
        StoredFile.Usage.UNKNOWN,
        policy);
  }

  private static Datanode.Builder described(Map<String, Long> storages) {
    return Datanode.builder("u")
        .host("h")
        .ip("10.0.0.1")
        .ipcPort(1)
        .transferPort(2)
        .rack("/r")
        .remaining(30)
        .heartbeatAgeMillis(4)
        .storages(storages);
  }

  private static Datanode node(Map<String, Long> storages) {
    return described(storages).build();
  }

  /** One that a NameNode of an earlier version describes has reported. */
  @Test
  void howLongAReportIsAwaitedTravels() {
    Datanode owing = described(Map.of()).unreportedMillis(0).build();
    assertEquals(OptionalLong.of(0), StatusCodec.of(StatusCodec.toProto(owing)).unreportedMillis());
    DatanodeProto other = StatusCodec.toProto(node(Map.of()));
    assertFalse(other.hasUnreportedMillis());
    assertEquals(OptionalLong.empty(), StatusCodec.of(other).unreportedMillis());
  }

  @Test
  void typesOfStorageAndPoliciesTravel() {
    StoredFile file = file(ONE_SSD, "SSD");
    assertEquals(file, StatusCodec.of(StatusCodec.toProto(file)));
    assertEquals("readers\nONE_SSD", file.sharing());
    Datanode node = node(Map.of("SSD", 10L, "ARCHIVE", 20L));
    assertEquals(node, StatusCodec.of(StatusCodec.toProto(node)));
    assertEquals(20, node.remaining("ARCHIVE"));
    assertEquals(0, node.remaining("DISK"));
    assertFalse(node.has("DISK"));
  }

  @Test
  void whatIsOrdinaryTakesNoBytes() {
    StoredFile file = file(StoragePolicy.HOT, "DISK");
    FileProto message = StatusCodec.toProto(file);
    assertFalse(message.hasStoragePolicy());
    assertFalse(message.getBlocks(0).getReplicas(0).hasStorageType());
    assertEquals(file, StatusCodec.of(message));
    assertEquals("readers", file.sharing());
    Datanode node = node(Map.of());
    DatanodeProto described = StatusCodec.toProto(node);
    assertEquals(0, described.getStoragesCount());
    assertEquals(node, StatusCodec.of(described));
    assertEquals(30, node.remaining("DISK"));
    assertTrue(node.has("DISK"));
    assertEquals(0, node.remaining("ARCHIVE"));
  }
}
