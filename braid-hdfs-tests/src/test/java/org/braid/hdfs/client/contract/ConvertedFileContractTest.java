package org.braid.hdfs.client.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.contract.AbstractContractGetFileStatusTest;
import org.apache.hadoop.fs.contract.AbstractContractOpenTest;
import org.apache.hadoop.fs.contract.AbstractContractPathHandleTest;
import org.apache.hadoop.fs.contract.AbstractContractSeekTest;
import org.apache.hadoop.fs.contract.AbstractContractUnbufferTest;
import org.apache.hadoop.fs.contract.AbstractContractVectoredReadTest;
import org.apache.hadoop.fs.contract.AbstractFSContract;
import org.apache.hadoop.fs.contract.ContractTestUtils;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsSupport;
import org.braid.hdfs.client.statistics.ReadCounters.Counter;
import org.braid.hdfs.testkit.embedded.EmbeddedSettings;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hadoop's contract tests of reading, on converted files each stripe of which lost a block. */
final class ConvertedFileContractTest {
  private static final int BLOCK = 24 << 10;

  private static ContractBed bed;
  private static ConvertingFileSystem fs;
  private static ConvertedFiles files;

  @BeforeAll
  static void start(@TempDir Path directory) throws IOException {
    // With fewer replicas it would not pay to convert a file of one block.
    Map<String, String> replicas = Map.of("dfs.replication", "4");
    bed =
        new ContractBed(
            new EmbeddedSettings(3, 6, BLOCK, directory, replicas), ConvertingFileSystem.class);
    files = new ConvertedFiles(bed.cluster);
    fs = (ConvertingFileSystem) bed.fs;
    fs.convert(files);
  }

  @AfterAll
  static void stop() throws IOException {
    files.close();
    bed.close();
  }

  @Test
  void filesThatAreOpenedWereConvertedAndAreRebuilt() throws IOException {
    var path = new org.apache.hadoop.fs.Path("/degraded");
    byte[] content = ContractTestUtils.dataset(4 * BLOCK - 1, 0, 256);
    ContractTestUtils.createFile(fs, path, true, content);
    try (FSDataInputStream in = fs.open(path)) {
      assertArrayEquals(content, in.readAllBytes());
      IOStatistics statistics = IOStatisticsSupport.retrieveIOStatistics(in);
      // The first blocks of both stripes.
      assertEquals(2L * BLOCK - 1, statistics.counters().get(Counter.DEGRADED_BYTES.key()));
    }
  }

  @Nested
  class GetFileStatus extends AbstractContractGetFileStatusTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return bed.contract(conf);
    }
  }

  @Nested
  class Open extends AbstractContractOpenTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return bed.contract(conf);
    }
  }

  @Nested
  class PathHandle extends AbstractContractPathHandleTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return bed.contract(conf);
    }
  }

  @Nested
  class Seek extends AbstractContractSeekTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return bed.contract(conf);
    }
  }

  @Nested
  class Unbuffer extends AbstractContractUnbufferTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return bed.contract(conf);
    }
  }

  @Nested
  class VectoredRead extends AbstractContractVectoredReadTest {
    /** Into arrays the other tests read. */
    public static List<String> params() {
      return List.of("direct");
    }

    VectoredRead(String bufferType) {
      super(bufferType);
    }

    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return bed.contract(conf);
    }
  }
}
