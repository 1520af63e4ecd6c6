package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.braid.hdfs.coordinator.session.NameNodeCalls;
import org.braid.hdfs.dispatch.OldNameNode;
import org.braid.hdfs.proto.BraidProtos.AcquireRequestProto;
import org.braid.hdfs.proto.BraidProtos.AcquireResponseProto;
import org.braid.hdfs.proto.BraidProtos.BlockProto;
import org.braid.hdfs.proto.BraidProtos.ChecksumRequestProto;
import org.braid.hdfs.proto.BraidProtos.ClaimRequestProto;
import org.braid.hdfs.proto.BraidProtos.ClusterRequestProto;
import org.braid.hdfs.proto.BraidProtos.FilesRequestProto;
import org.braid.hdfs.proto.BraidProtos.FilesResponseProto;
import org.braid.hdfs.proto.BraidProtos.PaceRequestProto;
import org.braid.hdfs.proto.BraidProtos.PingRequestProto;
import org.braid.hdfs.proto.BraidProtos.ReleaseRequestProto;
import org.braid.hdfs.proto.BraidProtos.RenewRequestProto;
import org.braid.hdfs.proto.BraidProtos.StripesRequestProto;
import org.braid.hdfs.proto.BraidProtos.SweepRequestProto;
import org.braid.hdfs.proto.BraidProtos.SyncRequestProto;
import org.braid.hdfs.proto.BraidProtos.TotalsRequestProto;
import org.braid.hdfs.proto.BraidProtos.VerifyRequestProto;
import org.braid.hdfs.rpc.BraidNameNodePB;
import org.braid.hdfs.rpc.BraidWorkerPB;
import org.braid.hdfs.rpc.Rpc;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Clients and plugins of other releases. An earlier one sends nothing of what was added later; a
 * later one sends what this one does not know ({@link OldNameNode#LATER}).
 */
final class OtherReleasesTest {
  private static final Random RANDOM = Seeds.random(OtherReleasesTest.class);
  private static final int FILES = 3;

  @RegisterExtension static final SharedCluster fixture = new SharedCluster(6, 8);

  @BeforeAll
  static void convert() throws IOException {
    for (int i = 0; i < FILES; i++) {
      fixture.write("/old/f" + i, 3 * ClusterFixture.BLOCK, 3, RANDOM);
      fixture.convertAll("rs-3-2", "/old/f" + i);
    }
  }

  private static BlockStatus block() throws IOException {
    return fixture.files("/old/f0").get(0).blocks().get(0);
  }

  @Test
  void nameNodesAnswerClientsOfOtherReleases() throws Exception {
    BraidNameNodePB stub =
        Rpc.nameNode(fixture.hdfs.configuration(), fixture.hdfs.nameNode().getNameNodeAddress());
    try {
      assertEquals(
          8,
          Rpc.call(
                  () ->
                      stub.cluster(
                          null,
                          ClusterRequestProto.newBuilder()
                              .setUnknownFields(OldNameNode.LATER)
                              .build()))
              .getDatanodesCount());
      FilesResponseProto files =
          Rpc.call(
              () ->
                  stub.files(
                      null,
                      FilesRequestProto.newBuilder()
                          .setPath("/old")
                          .setUnknownFields(OldNameNode.LATER)
                          .build()));
      assertEquals(FILES, files.getFilesCount());
      // What it did not ask for it would not understand.
      assertTrue(files.getFilesList().stream().noneMatch(file -> file.hasSoundBlocks()));
      long id = block().block().id();
      assertEquals(
          1,
          Rpc.call(
                  () ->
                      stub.stripes(
                          null,
                          StripesRequestProto.newBuilder()
                              .addBlockIds(id)
                              .setUnknownFields(OldNameNode.LATER)
                              .build()))
              .getStripesCount());
      assertEquals(
          FILES,
          Rpc.call(
                  () ->
                      stub.totals(
                          null,
                          TotalsRequestProto.newBuilder()
                              .setUnknownFields(OldNameNode.LATER)
                              .build()))
              .getCodes(0)
              .getStripes());
      changesAreGranted(stub);
    } finally {
      Rpc.stop(stub);
    }
  }

  private static void changesAreGranted(BraidNameNodePB stub) throws IOException {
    AcquireResponseProto acquired =
        Rpc.call(
            () ->
                stub.acquire(
                    null,
                    AcquireRequestProto.newBuilder()
                        .setHolder("other")
                        .setUnknownFields(OldNameNode.LATER)
                        .build()));
    assertTrue(acquired.hasLease(), acquired.toString());
    String lease = acquired.getLease();
    String stripe = fixture.stripes().get(0).stripe().id();
    assertTrue(
        Rpc.call(
                () ->
                    stub.renew(
                        null,
                        RenewRequestProto.newBuilder()
                            .setLease(lease)
                            .setUnknownFields(OldNameNode.LATER)
                            .build()))
            .getHeld());
    for (boolean release : new boolean[] {false, true}) {
      assertFalse(
          Rpc.call(
                  () ->
                      stub.claim(
                          null,
                          ClaimRequestProto.newBuilder()
                              .setLease(lease)
                              .setStripeId(stripe)
                              .setRelease(release)
                              .setUnknownFields(OldNameNode.LATER)
                              .build()))
              .hasHolder());
    }
    assertEquals(
        List.of(),
        Rpc.call(
                () ->
                    stub.sweep(
                        null,
                        SweepRequestProto.newBuilder()
                            .setLease(lease)
                            .setUnknownFields(OldNameNode.LATER)
                            .build()))
            .getDeletedList());
    Rpc.call(
        () ->
            stub.release(
                null,
                ReleaseRequestProto.newBuilder()
                    .setLease(lease)
                    .setUnknownFields(OldNameNode.LATER)
                    .build()));
  }

  @Test
  void workersAnswerClientsOfOtherReleases() throws Exception {
    BlockStatus status = block();
    int node = fixture.hdfs.indexOf(status.replicas().get(0).node()).orElseThrow();
    BlockProto block =
        BlockProto.newBuilder()
            .setId(status.block().id())
            .setGeneration(status.block().generation())
            .setLength(status.block().length())
            .setUnknownFields(OldNameNode.LATER)
            .build();
    BraidWorkerPB worker =
        Rpc.workers(fixture.hdfs.configuration())
            .at("127.0.0.1", fixture.hdfs.dataNode(node).getIpcPort(), "");
    try {
      assertEquals(
          fixture.hdfs.uuid(node),
          Rpc.call(
                  () ->
                      worker.ping(
                          null,
                          PingRequestProto.newBuilder()
                              .setUnknownFields(OldNameNode.LATER)
                              .build()))
              .getUuid());
      int recorded =
          fixture.stripes().stream()
              .flatMap(stripe -> stripe.stripe().members().stream())
              .filter(member -> !member.isVirtual() && member.block().equals(status.block()))
              .findFirst()
              .orElseThrow()
              .crc();
      assertEquals(
          recorded,
          Rpc.call(
                  () ->
                      worker.verify(
                          null,
                          VerifyRequestProto.newBuilder()
                              .setBlock(block)
                              .setUnknownFields(OldNameNode.LATER)
                              .build()))
              .getCrc32C());
      assertTrue(
          Rpc.call(
                      () ->
                          worker.checksum(
                              null,
                              ChecksumRequestProto.newBuilder()
                                  .setBlock(block)
                                  .setUnknownFields(OldNameNode.LATER)
                                  .build()))
                  .getChunk()
              > 0);
      assertEquals(
          List.of(),
          Rpc.call(
                  () ->
                      worker.sync(
                          null,
                          SyncRequestProto.newBuilder()
                              .addBlocks(block)
                              .setUnknownFields(OldNameNode.LATER)
                              .build()))
              .getFailedList());
      Rpc.call(
          () ->
              worker.pace(
                  null, PaceRequestProto.newBuilder().setUnknownFields(OldNameNode.LATER).build()));
    } finally {
      Rpc.stop(worker);
    }
  }

  /** Several pages, as what says where a page ended was added later. */
  @Test
  void commandsUnderstandNameNodesOfOtherReleases() throws Exception {
    Configuration conf = fixture.hdfs.configuration();
    try (NameNodeCalls calls =
        new NameNodeCalls(OldNameNode.answering(FileSystem.getDefaultUri(conf), conf), 2)) {
      assertEquals(8, calls.cluster().getDatanodesCount());
      assertEquals(paths(fixture.files("/old")), paths(calls.files("/old")));
      assertEquals(ids(fixture.stripes()), ids(calls.stripes()));
      assertEquals(1, calls.stripesOf(List.of(block().block().id())).size());
    }
  }

  private static List<String> paths(List<StoredFile> files) {
    return files.stream().map(StoredFile::path).sorted().toList();
  }

  private static List<String> ids(List<StripeStatus> stripes) {
    return stripes.stream().map(status -> status.stripe().id()).sorted().toList();
  }
}
