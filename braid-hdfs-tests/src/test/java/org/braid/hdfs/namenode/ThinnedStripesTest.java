package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.braid.hdfs.datanode.BraidDataNodePlugin;
import org.braid.hdfs.proto.BraidProtos.FileProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.testing.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file of a shared stripe is deleted, and no coordinator runs. */
final class ThinnedStripesTest {
  @TempDir Path directory;
  private NameNodeFixture fixture;
  private long left;

  @BeforeEach
  void share() throws Exception {
    fixture =
        NameNodeFixture.start(
            directory, 5, 5, Map.of("dfs.datanode.plugins", BraidDataNodePlugin.class.getName()));
    FileProto one = fixture.write("/one", 1, 3);
    FileProto other = fixture.write("/other", 1, 3);
    StripeProto stripe =
        fixture.publish("rs-2-1", List.of(one.getBlocks(0), other.getBlocks(0)), x -> x);
    assertEquals(List.of(), fixture.trim(stripe.getId()));
    for (String path : new String[] {"/one", "/other"}) {
      fixture.fs.setReplication(new org.apache.hadoop.fs.Path(path), (short) 1);
    }
    left = other.getBlocks(0).getBlock().getId();
    assertEquals(1, fixture.block(left).getReplication());
    fixture.fs.delete(new org.apache.hadoop.fs.Path("/one"), false);
  }

  @AfterEach
  void stop() throws Exception {
    fixture.close();
  }

  private void awaitReplicas() throws Exception {
    Await.until("three replicas to be asked for", () -> fixture.block(left).getReplication() == 3);
    Await.until("three replicas", () -> fixture.holders(left).size() == 3);
    assertEquals(1, fixture.file("/other").getReplication());
  }

  @Test
  void whatIsLeftIsReplicatedAndAgainAfterARestart() throws Exception {
    awaitReplicas();
    fixture.restart();
    awaitReplicas();
  }
}
