package org.braid.hdfs.namenode.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.braid.hdfs.namenode.NameNodeFixture;
import org.braid.hdfs.proto.BraidProtos.FileProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file had more replicas before conversion than {@code dfs.replication.max} allows since. */
final class AllowedReplicationTest {
  private static final Path FILE = new Path("/many/f");

  @TempDir java.nio.file.Path directory;

  private static StripeProto withReplication(StripeProto stripe, int replication) {
    StripeProto.Builder changed = stripe.toBuilder();
    for (int i = 0; i < 2; i++) {
      changed.getMembersBuilder(i).setReplication(replication);
    }
    return changed.build();
  }

  @Test
  void aWriteGivesTheFileAsManyReplicasAsAreAllowed() throws Exception {
    try (NameNodeFixture fixture =
        NameNodeFixture.start(directory, 4, 4, Map.of("dfs.replication.max", "3"))) {
      FileProto file = fixture.write(FILE.toString(), 2, 3);
      StripeProto stripe =
          fixture.publish("rs-2-1", file.getBlocksList(), made -> withReplication(made, 5));
      assertEquals(List.of(), fixture.trim(stripe.getId()));
      fixture.fs.setReplication(FILE, (short) 1);
      try (FSDataOutputStream out = fixture.fs.append(FILE)) {
        out.write(new byte[100]);
      }
      assertEquals(3, fixture.fs.getFileStatus(FILE).getReplication());
    }
  }
}
