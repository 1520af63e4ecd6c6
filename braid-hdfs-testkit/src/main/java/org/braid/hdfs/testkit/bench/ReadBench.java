package org.braid.hdfs.testkit.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.braid.hdfs.Braid;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.ConvertRequest;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.client.BraidFileSystem;
import org.braid.hdfs.testkit.embedded.EmbeddedHdfs;
import org.braid.hdfs.testkit.embedded.EmbeddedSettings;

/**
 * Measures how fast one reader reads a file sequentially: a converted file with HDFS's own client
 * and with Braid's, and a file with the same bytes in HDFS's own erasure coding.
 *
 * <p>The cluster is embedded, so that all daemons share one machine. On real clusters a DataNode
 * delivers no more than its disk and link do; here HDFS's own throttle of reads has this effect
 * ({@code dfs.datanode.data.read.bandwidthPerSec}). Helpers' reads for lost blocks do not pass that
 * throttle.
 */
public final class ReadBench {
  private static final int NODES = 9;
  private static final String CODE = "rs-6-3";
  private static final String STRIPED = "RS-6-3-1024k";
  private static final int SLICE = 256 << 10;
  private static final int BUFFER = 1 << 20;
  private static final int CONTENDERS = 7;

  /** Encrypted data transfer with AES, which needs the keys of block tokens, but no Kerberos. */
  private static final Map<String, String> ENCRYPTED =
      Map.of(
          DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY,
          "true",
          DFSConfigKeys.DFS_ENCRYPT_DATA_TRANSFER_KEY,
          "true",
          HdfsClientConfigKeys.DFS_ENCRYPT_DATA_TRANSFER_CIPHER_SUITES_KEY,
          "AES/CTR/NoPadding");

  private static final String CONTIGUOUS_FILE = "/contiguous/file";
  private static final String STRIPED_FILE = "/striped/file";

  private final Settings settings;
  private final Progress progress;
  private long written;
  private int reads;

  /**
   * Settings of the measurement.
   *
   * @param fileBytes bytes of the file
   * @param blockBytes bytes of a block, a multiple of 1 MiB
   * @param nodeRate maximum bytes a second that a DataNode delivers to clients; 0 for no limit
   * @param blocks number of blocks that Braid's client reads at the same time
   * @param runs number of runs of each contender, in turn
   * @param encrypted whether to measure also on a cluster that encrypts data transfer
   * @param seed seed of the content
   * @param directory directory of the cluster's files
   */
  public record Settings(
      long fileBytes,
      int blockBytes,
      long nodeRate,
      int blocks,
      int runs,
      boolean encrypted,
      long seed,
      Path directory) {
    public Settings {
      if (fileBytes < 1 || blockBytes < BUFFER || blockBytes % BUFFER != 0) {
        throw new IllegalArgumentException(
            "a file of %d bytes in blocks of %d: the file needs a byte, blocks a multiple of 1 MiB"
                .formatted(fileBytes, blockBytes));
      }
      if (nodeRate < 0 || blocks < 1 || runs < 1) {
        throw new IllegalArgumentException(
            "rate %d, %d blocks at once, %d runs: none may be negative, only the rate 0"
                .formatted(nodeRate, blocks, runs));
      }
    }
  }

  /**
   * The times of a contender.
   *
   * @param name the file and the client
   * @param encrypted whether DataNodes encrypted data transfer; the row before is the same without
   *     encryption
   * @param seconds seconds of each run, ascending
   * @param exact whether every run returned the written bytes
   */
  public record Row(String name, boolean encrypted, List<Double> seconds, boolean exact) {
    public Row {
      seconds = List.copyOf(seconds);
    }

    /** The median of the runs. */
    public double median() {
      return seconds.get(seconds.size() / 2);
    }
  }

  private record Contender(String name, String file, Map<String, String> client) {}

  private record Reading(Contender contender, EmbeddedHdfs hdfs, boolean encrypted) {}

  private ReadBench(Settings settings, Progress progress) {
    this.settings = settings;
    this.progress = progress;
  }

  /**
   * Measures.
   *
   * @param progress hears how many files have been read
   */
  public static List<Row> run(Settings settings, Progress progress) throws IOException {
    return new ReadBench(settings, progress).run();
  }

  private List<Row> run() throws IOException {
    try (EmbeddedHdfs plain = start("plain", Map.of())) {
      if (!settings.encrypted()) {
        return run(List.of(plain));
      }
      try (EmbeddedHdfs encrypted = start("encrypted", ENCRYPTED)) {
        return run(List.of(plain, encrypted));
      }
    }
  }

  private EmbeddedHdfs start(String name, Map<String, String> more) throws IOException {
    Map<String, String> properties = new LinkedHashMap<>(more);
    properties.put(
        DFSConfigKeys.DFS_DATANODE_DATA_READ_BANDWIDTHPERSEC_KEY,
        String.valueOf(settings.nodeRate()));
    return EmbeddedHdfs.start(
        new EmbeddedSettings(
            NODES, NODES, settings.blockBytes(), settings.directory().resolve(name), properties));
  }

  /** Measures on clusters, the second of which encrypts. */
  private List<Row> run(List<EmbeddedHdfs> clusters) throws IOException {
    for (EmbeddedHdfs hdfs : clusters) {
      write(hdfs);
    }
    List<Row> rows = new ArrayList<>(measure(readings(healthy(), clusters)));
    for (EmbeddedHdfs hdfs : clusters) {
      hdfs.stopNode(0);
    }
    rows.addAll(measure(readings(degraded(), clusters)));
    return rows;
  }

  private static List<Reading> readings(List<Contender> contenders, List<EmbeddedHdfs> clusters) {
    List<Reading> readings = new ArrayList<>();
    for (Contender contender : contenders) {
      for (int i = 0; i < clusters.size(); i++) {
        readings.add(new Reading(contender, clusters.get(i), i > 0));
      }
    }
    return readings;
  }

  private void write(EmbeddedHdfs hdfs) throws IOException {
    hdfs.makeDirectory("/contiguous", Optional.of(CODE));
    try (DistributedFileSystem fs = hdfs.cluster().fileSystem()) {
      write(fs, CONTIGUOUS_FILE);
      var striped = new org.apache.hadoop.fs.Path("/striped");
      fs.mkdirs(striped);
      fs.enableErasureCodingPolicy(STRIPED);
      fs.setErasureCodingPolicy(striped, STRIPED);
      write(fs, STRIPED_FILE);
    }
    try (Cluster coordinator = Braid.connect(hdfs.connection())) {
      coordinator.convert(
          new ConvertRequest(
              List.of("/contiguous"),
              CODE,
              OptionalInt.empty(),
              ConvertRequest.Method.DEFAULT,
              2,
              SLICE,
              settings.seed(),
              (phase, done, all) -> {}));
    }
  }

  private void write(DistributedFileSystem fs, String path) throws IOException {
    byte[] buffer = new byte[BUFFER];
    SplittableRandom random = new SplittableRandom(settings.seed());
    CRC32C crc = new CRC32C();
    try (OutputStream out = fs.create(new org.apache.hadoop.fs.Path(path))) {
      for (long left = settings.fileBytes(); left > 0; left -= BUFFER) {
        int count = (int) Math.min(left, BUFFER);
        random.nextBytes(buffer);
        crc.update(buffer, 0, count);
        out.write(buffer, 0, count);
      }
    }
    written = crc.getValue();
  }

  private List<Contender> healthy() {
    return List.of(
        new Contender("HDFS's client, converted file", CONTIGUOUS_FILE, Map.of()),
        new Contender("HDFS's client, striped " + STRIPED, STRIPED_FILE, Map.of()),
        new Contender("Braid's client, 1 block at once", CONTIGUOUS_FILE, braid(1)),
        new Contender(
            "Braid's client, " + settings.blocks() + " blocks at once",
            CONTIGUOUS_FILE,
            braid(settings.blocks())));
  }

  private List<Contender> degraded() {
    return List.of(
        new Contender("HDFS's client, striped, a node lost", STRIPED_FILE, Map.of()),
        new Contender("Braid's client, 1 block, a node lost", CONTIGUOUS_FILE, braid(1)),
        new Contender(
            "Braid's client, " + settings.blocks() + " blocks, a node lost",
            CONTIGUOUS_FILE,
            braid(settings.blocks())));
  }

  private static Map<String, String> braid(int blocks) {
    return Map.of(
        "fs.hdfs.impl",
        BraidFileSystem.class.getName(),
        "braid.client.read-ahead.blocks",
        String.valueOf(blocks));
  }

  private List<Row> measure(List<Reading> readings) throws IOException {
    Map<Reading, List<Double>> seconds = new LinkedHashMap<>();
    Map<Reading, Boolean> exact = new LinkedHashMap<>();
    int all = CONTENDERS * settings.runs() * (settings.encrypted() ? 2 : 1);
    for (int run = 0; run < settings.runs(); run++) {
      for (Reading reading : readings) {
        long begun = System.nanoTime();
        boolean same = read(reading.hdfs(), reading.contender()) == written;
        seconds
            .computeIfAbsent(reading, unused -> new ArrayList<>())
            .add((System.nanoTime() - begun) / 1e9);
        exact.merge(reading, same, Boolean::logicalAnd);
        progress.at("reading", ++reads, all);
      }
    }
    List<Row> rows = new ArrayList<>();
    seconds.forEach(
        (reading, times) -> {
          double[] sorted = times.stream().mapToDouble(Double::doubleValue).sorted().toArray();
          rows.add(
              new Row(
                  reading.contender().name(),
                  reading.encrypted(),
                  Arrays.stream(sorted).boxed().toList(),
                  exact.getOrDefault(reading, false)));
        });
    return rows;
  }

  /** Reads a file as any program does; returns the CRC-32C of what came. */
  private long read(EmbeddedHdfs hdfs, Contender contender) throws IOException {
    Configuration conf = hdfs.cluster().configuration();
    contender.client().forEach(conf::set);
    CRC32C crc = new CRC32C();
    byte[] buffer = new byte[BUFFER];
    try (FileSystem fs = FileSystem.newInstance(FileSystem.getDefaultUri(conf), conf);
        InputStream in = fs.open(new org.apache.hadoop.fs.Path(contender.file()))) {
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        crc.update(buffer, 0, count);
      }
    }
    return crc.getValue();
  }
}
