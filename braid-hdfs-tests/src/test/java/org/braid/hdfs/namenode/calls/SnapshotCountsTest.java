package org.braid.hdfs.namenode.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.braid.hdfs.namenode.NameNodeFixture;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A snapshot of a converted file is deleted after the file was written to. */
final class SnapshotCountsTest {
  private static final Path DIRECTORY = new Path("/snapped");
  private static final Path FILE = new Path(DIRECTORY, "f");

  @TempDir java.nio.file.Path directory;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void encodedBlocksKeepOneReplicaAndAreCountedAsBefore(boolean overWeb) throws Exception {
    try (NameNodeFixture fixture = NameNodeFixture.start(directory, 4, 4, Map.of())) {
      fixture.encode(FILE.toString());
      fixture.fs.setQuota(DIRECTORY, HdfsConstants.QUOTA_DONT_SET, 1L << 40);
      fixture.fs.allowSnapshot(DIRECTORY);
      fixture.fs.createSnapshot(DIRECTORY, "before");
      try (FSDataOutputStream out = fixture.fs.append(FILE)) {
        out.write(new byte[100]);
      }
      try (FileSystem web = fixture.overWeb()) {
        (overWeb ? web : fixture.fs).deleteSnapshot(DIRECTORY, "before");
      }
      assertEquals(
          fixture.fs.getContentSummary(DIRECTORY).getSpaceConsumed(),
          fixture.fs.getQuotaUsage(DIRECTORY).getSpaceConsumed());
      NameNodeHost host = fixture.plugin().host();
      List<Integer> aims =
          host.reading(
              "test",
              () ->
                  Arrays.stream(host.inode(FILE.toString()).asFile().getBlocks())
                      .map(block -> (int) block.getReplication())
                      .toList());
      assertEquals(List.of(1, 1, 3), aims);
    }
  }
}
