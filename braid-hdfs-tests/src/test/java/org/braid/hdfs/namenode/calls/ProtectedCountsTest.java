package org.braid.hdfs.namenode.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.braid.hdfs.namenode.NameNodeFixture;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.proto.BraidProtos.BlockStatusProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.testing.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A snapshot is deleted of files whose blocks aim at other than the file wants though nobody has
 * written to them: HDFS counts each block times the replicas that it aims at.
 */
final class ProtectedCountsTest {
  private static final Path DIRECTORY = new Path("/snapped");
  private static final Path FILE = new Path(DIRECTORY, "f");
  private static final Path GOES = new Path("/goes");

  @TempDir java.nio.file.Path directory;

  private static int aim(NameNodeFixture fixture, BlockStatusProto block) throws Exception {
    NameNodeHost host = fixture.plugin().host();
    return host.reading(
        "test",
        () -> {
          long id = block.getBlock().getId();
          return (int) ReplicaView.stored(host.blocks(), id).orElseThrow().getReplication();
        });
  }

  private static void limit(NameNodeFixture fixture) throws Exception {
    fixture.fs.setQuota(DIRECTORY, HdfsConstants.QUOTA_DONT_SET, 1L << 40);
    fixture.fs.allowSnapshot(DIRECTORY);
    fixture.fs.createSnapshot(DIRECTORY, "before");
  }

  private static void deleteSnapshot(NameNodeFixture fixture) throws Exception {
    fixture.fs.deleteSnapshot(DIRECTORY, "before");
    assertEquals(
        fixture.fs.getContentSummary(DIRECTORY).getSpaceConsumed(),
        fixture.fs.getQuotaUsage(DIRECTORY).getSpaceConsumed());
  }

  /** What others left of its stripe is to be copied, and stays so. */
  @Test
  void blocksThatAreProtectedAreCountedAsTheirFileWants() throws Exception {
    try (NameNodeFixture fixture = NameNodeFixture.start(directory, 4, 4, Map.of())) {
      BlockStatusProto stays = fixture.write(FILE.toString(), 1, 3).getBlocks(0);
      BlockStatusProto goes = fixture.write(GOES.toString(), 1, 3).getBlocks(0);
      StripeProto stripe = fixture.publish("rs-2-1", List.of(stays, goes), x -> x);
      assertEquals(List.of(), fixture.trim(stripe.getId()));
      fixture.fs.setReplication(FILE, (short) 1);
      fixture.fs.setReplication(GOES, (short) 1);
      limit(fixture);
      fixture.fs.setPermission(FILE, new FsPermission((short) 0600));
      fixture.fs.delete(GOES, false);
      Await.until("copies of what is left", () -> aim(fixture, stays) > 1);
      int aim = aim(fixture, stays);
      deleteSnapshot(fixture);
      assertEquals(aim, aim(fixture, stays));
    }
  }

  /** As after a failover, when a file that was written to is converted anew. */
  @Test
  void blocksThatAreTrimmedAndNotPersistedAreCountedAsTheirFileWants() throws Exception {
    try (NameNodeFixture fixture = NameNodeFixture.start(directory, 4, 4, Map.of())) {
      String stripe = fixture.encode(FILE.toString()).getId();
      limit(fixture);
      try (FSDataOutputStream out = fixture.fs.append(FILE)) {
        out.write(new byte[100]);
      }
      fixture.restart();
      Await.until("the stripe to be trimmed", () -> fixture.trim(stripe).isEmpty());
      deleteSnapshot(fixture);
    }
  }
}
