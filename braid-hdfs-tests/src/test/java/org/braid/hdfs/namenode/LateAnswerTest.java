package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hdfs.server.namenode.FSEditLog;
import org.braid.hdfs.datanode.BraidDataNodePlugin;
import org.braid.hdfs.namenode.host.HadoopInternals;
import org.braid.hdfs.proto.BraidProtos.FileProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.testing.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A write that waits for copies of an encoded block is answered as safely as any other. */
final class LateAnswerTest {
  private static final int LENGTH = NameNodeFixture.BLOCK / 2;

  @TempDir Path directory;

  @Test
  void aWriteIsOnDiskBeforeItIsAnswered() throws Exception {
    ExecutorService client = Executors.newSingleThreadExecutor();
    try (NameNodeFixture fixture =
        NameNodeFixture.start(
            directory, 5, 5, Map.of("dfs.datanode.plugins", BraidDataNodePlugin.class.getName()))) {
      FileProto file = fixture.write("/cut", 2, 3);
      StripeProto stripe = fixture.publish("rs-2-1", file.getBlocksList(), x -> x);
      assertEquals(List.of(), fixture.trim(stripe.getId()));
      var path = new org.apache.hadoop.fs.Path("/cut");
      fixture.fs.setReplication(path, (short) 1);
      fixture.heartbeats(false);
      Future<Boolean> cut = client.submit(() -> fixture.fs.truncate(path, LENGTH));
      Await.until("the file to be prepared", () -> fixture.file("/cut").getReplication() == 3);
      FSEditLog edits = fixture.cluster.nameNode().getNamesystem().getEditLog();
      HadoopInternals.syncEdits(fixture.cluster.nameNode().getNamesystem());
      Method stop = edits.getClass().getDeclaredMethod("stopSyncThread");
      stop.setAccessible(true);
      stop.invoke(edits);
      try {
        fixture.heartbeats(true);
        Await.until(
            "the file to be cut in memory", () -> fixture.file("/cut").getLength() == LENGTH);
        assertThrows(TimeoutException.class, () -> cut.get(2, TimeUnit.SECONDS));
      } finally {
        edits.restart();
      }
      cut.get(60, TimeUnit.SECONDS);
      Await.until("the cut to be carried out", () -> fixture.fs.getClient().isFileClosed("/cut"));
      assertEquals(1, fixture.file("/cut").getBlocksCount());
    } finally {
      client.shutdownNow();
    }
  }
}
