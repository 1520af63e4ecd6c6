package org.braid.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.braid.engine.block.CellLayout;
import org.braid.hdfs.metrics.Cause;
import org.braid.hdfs.metrics.Figures;
import org.braid.hdfs.metrics.LinkClass;
import org.braid.hdfs.proto.BraidProtos.BlockProto;
import org.braid.hdfs.proto.BraidProtos.BytesProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteRequestProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteResponseProto;
import org.braid.hdfs.proto.BraidProtos.LinkProto;
import org.braid.hdfs.proto.BraidProtos.OpProto;
import org.braid.hdfs.proto.BraidProtos.ReadOpProto;
import org.braid.hdfs.proto.BraidProtos.RebuildProto;
import org.braid.hdfs.proto.BraidProtos.ScrubResponseProto.Finding;
import org.braid.hdfs.proto.BraidProtos.StoreOpProto;
import org.braid.hdfs.proto.BraidProtos.SubBlockProto;
import org.braid.hdfs.proto.BraidProtos.VerifyRequestProto;
import org.junit.jupiter.api.Test;

/** What a worker counts of requests of this and of other releases. */
final class WorkerMetricsTest {
  private static final BlockProto BLOCK =
      BlockProto.newBuilder().setId(1).setGeneration(2).setLength(100).build();

  private final WorkerMetrics metrics = new WorkerMetrics(() -> 0, () -> 0, () -> 0);

  private static ExecuteRequestProto.Builder request() {
    return empty().addOps(read(100, 0, 0));
  }

  private static ExecuteRequestProto.Builder empty() {
    return ExecuteRequestProto.newBuilder().setRun("r").setNode(0).setLength(100).setSlice(10);
  }

  private static BlockProto block(long length) {
    return BLOCK.toBuilder().setLength(length).build();
  }

  private static SubBlockProto subBlock(int index) {
    return SubBlockProto.newBuilder().setBlock(0).setIndex(index).build();
  }

  private static OpProto read(long length, int index, long offset) {
    return OpProto.newBuilder()
        .setRead(
            ReadOpProto.newBuilder()
                .setValue(index)
                .setSource(subBlock(index))
                .setBlock(block(length))
                .setOffset(offset))
        .build();
  }

  private static OpProto rebuild(long length, int index) {
    return OpProto.newBuilder()
        .setStore(
            StoreOpProto.newBuilder()
                .setValue(index)
                .setTarget(subBlock(index))
                .setRebuild(
                    RebuildProto.newBuilder()
                        .setBlock(block(length))
                        .setCrc32C(0)
                        .setBytesPerChecksum(512)))
        .build();
  }

  private static LinkProto link(int node, String link) {
    return LinkProto.newBuilder().setNode(node).setLink(link).build();
  }

  private static BytesProto sent(int node, long bytes) {
    return BytesProto.newBuilder().setNode(node).setBytes(bytes).build();
  }

  private void ended(ExecuteRequestProto.Builder request, BytesProto... sent) {
    ExecuteResponseProto.Builder response = ExecuteResponseProto.newBuilder().setCpuNanos(0);
    for (BytesProto some : sent) {
      response.addSent(some);
    }
    metrics.ended(request.build(), response.build(), CellLayout.whole(100), 5);
  }

  private long moved(Cause cause, LinkClass link) {
    return figure(
        "BraidMoved.Bytes{ProcessName=DataNode,Cause="
            + cause.word()
            + ",Link="
            + link.word()
            + "}");
  }

  private long disk(Cause cause) {
    return figure("BraidDisk.Bytes{ProcessName=DataNode,Cause=" + cause.word() + "}");
  }

  private long figure(String name) {
    Map<String, Long> figures = Figures.of(metrics.daemon());
    Long value = figures.get(name);
    if (value == null) {
      throw new AssertionError(name + " is not in " + figures.keySet());
    }
    return value;
  }

  @Test
  void bytesGoToTheCauseAndTheClassOfEachLink() {
    ended(
        request()
            .setWork("repair")
            .setCause("waiting_readers")
            .addLinks(link(1, "in_rack"))
            .addLinks(link(2, "cross_site")),
        sent(1, 30),
        sent(2, 50),
        sent(1, 1));
    assertEquals(31, moved(Cause.WAITING_READERS, LinkClass.IN_RACK));
    assertEquals(50, moved(Cause.WAITING_READERS, LinkClass.CROSS_SITE));
    assertEquals(0, moved(Cause.REPAIR, LinkClass.IN_RACK));
    assertEquals(100, disk(Cause.WAITING_READERS));
    assertEquals(81, figure("Braid.RepairBytesSent{ProcessName=DataNode}"));
  }

  /** A reader stops its helpers when it has what it wants. */
  @Test
  void whatAStoppedFragmentSentWasSent() {
    metrics.failed(
        request().setCause("repair").setWork("repair").addLinks(link(1, "cross_rack")).build(),
        Map.of(1, 40L, 2, 2L));
    assertEquals(40, moved(Cause.REPAIR, LinkClass.CROSS_RACK));
    assertEquals(2, moved(Cause.REPAIR, LinkClass.UNKNOWN));
    assertEquals(42, figure("Braid.BytesSent{ProcessName=DataNode}"));
    assertEquals(42, figure("Braid.RepairBytesSent{ProcessName=DataNode}"));
    assertEquals(0, disk(Cause.REPAIR));
  }

  /** A coordinator of an earlier release says neither cause nor links. */
  @Test
  void theClassOfWorkCountsWhereNoCauseIsSaid() {
    ended(request().setWork("repair"), sent(1, 7));
    ended(request().setWork("conversion"), sent(1, 8));
    ended(request(), sent(1, 9));
    assertEquals(7, moved(Cause.REPAIR, LinkClass.UNKNOWN));
    assertEquals(8, moved(Cause.CONVERT, LinkClass.UNKNOWN));
    assertEquals(9, moved(Cause.DEGRADED_READ, LinkClass.UNKNOWN));
  }

  /** A coordinator of a later release may know other ones. */
  @Test
  void whatIsNotKnownHereIsCountedByWhatIs() {
    ended(request().setWork("repair").setCause("alchemy").addLinks(link(1, "ether")), sent(1, 7));
    assertEquals(7, moved(Cause.REPAIR, LinkClass.UNKNOWN));
  }

  @Test
  void readsThatVerifyAndScrubCountOnDisksAlone() {
    VerifyRequestProto.Builder verify = VerifyRequestProto.newBuilder().setBlock(BLOCK);
    metrics.verified(10, verify.clone().setWork("conversion").setCause("relocate").build());
    metrics.verified(20, verify.clone().setWork("conversion").build());
    metrics.verified(40, verify.build());
    metrics.scrubbed(Finding.GOOD, 80);
    assertEquals(10, disk(Cause.RELOCATE));
    assertEquals(20, disk(Cause.CONVERT));
    assertEquals(40, disk(Cause.OTHER));
    assertEquals(80, disk(Cause.SCRUB));
    assertEquals(70, figure("Braid.BytesVerified{ProcessName=DataNode}"));
  }

  @Test
  void aReplicaThatIsNotThereIsNotCountedAsRead() {
    for (Finding none : List.of(Finding.CHANGED, Finding.MISSING, Finding.ABSENT)) {
      metrics.scrubbed(none, 80);
    }
    assertEquals(0, disk(Cause.SCRUB));
    assertEquals(0, figure("Braid.BytesScrubbed{ProcessName=DataNode}"));
    metrics.scrubbed(Finding.CONTENT, 80);
    assertEquals(80, disk(Cause.SCRUB));
    assertEquals(80, figure("Braid.BytesScrubbed{ProcessName=DataNode}"));
    assertEquals(1, figure("Braid.BlocksScrubbed{ProcessName=DataNode}"));
  }

  /** Values of a stripe are as long as its longest block. */
  @Test
  void zerosBehindAShortBlockAreOnNoDisk() {
    ended(
        empty()
            .setWork("repair")
            .addOps(read(30, 0, 0))
            .addOps(read(30, 0, 20))
            .addOps(read(30, 0, 40))
            .addOps(rebuild(7, 0)));
    assertEquals(30 + 10, figure("Braid.BytesRead{ProcessName=DataNode}"));
    assertEquals(7, figure("Braid.BytesStored{ProcessName=DataNode}"));
    assertEquals(30 + 10 + 7, disk(Cause.REPAIR));
    assertEquals(30 + 10 + 7, figure("Braid.RepairBytesOnDisk{ProcessName=DataNode}"));
  }

  @Test
  void zerosBehindTheSubBlocksOfAShortBlockAreOnNoDisk() {
    ExecuteRequestProto.Builder request = empty().setWork("repair");
    for (int index = 0; index < 2; index++) {
      request.addOps(read(130, index, 0)).addOps(rebuild(7, index));
    }
    ExecuteResponseProto response = ExecuteResponseProto.newBuilder().setCpuNanos(0).build();
    metrics.ended(request.build(), response, new CellLayout(2, 40, 100), 5);
    assertEquals(130, figure("Braid.BytesRead{ProcessName=DataNode}"));
    assertEquals(7, figure("Braid.BytesStored{ProcessName=DataNode}"));
    assertEquals(137, disk(Cause.REPAIR));
  }
}
