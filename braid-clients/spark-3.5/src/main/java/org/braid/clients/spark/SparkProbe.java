package org.braid.clients.spark;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.braid.clients.probe.ProbeContent;
import org.braid.clients.probe.Probe;

/** Has Spark write or read files; prints lines as {@link Probe} does. */
public final class SparkProbe {
  private static final long ROWS = 60_000;
  private static final int KINDS = 7;

  private SparkProbe() {}

  /** A way to read. */
  private interface Way {
    /** Reads; returns the sum that proves the content. */
    long read();
  }

  /**
   * Writes or reads on the cluster to which it is submitted.
   *
   * @param args the arguments of {@link Probe}, then {@code write} or {@code read}
   */
  public static void main(String[] args) {
    SparkSession.Builder builder =
        SparkSession.builder()
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "2")
            .config("spark.hadoop.fs.defaultFS", args[0]);
    if (args[6].equals("braid")) {
      for (String line : Probe.BRAID) {
        builder.config("spark.hadoop." + name(line), value(line));
      }
    }
    for (String line : Arrays.asList(args).subList(7, args.length - 1)) {
      builder.config("spark.hadoop." + name(line), value(line));
    }
    SparkSession spark = builder.getOrCreate();
    String directory = args[0] + args[1];
    if (args[args.length - 1].equals("write")) {
      write(spark, directory);
    } else {
      long seed = Long.parseLong(args[2]);
      byte[] bytes = ProbeContent.bytes(seed, Integer.parseInt(args[3]));
      read(spark, directory, ProbeContent.text(seed, Integer.parseInt(args[4])), bytes);
    }
    System.out.flush();
    if (spark.conf().get("spark.submit.deployMode", "client").equals("cluster")) {
      spark.stop(); // YARN is told that it ended well when this returns
    } else {
      Runtime.getRuntime().halt(0);
    }
  }

  private static String name(String line) {
    return line.substring(0, line.indexOf('='));
  }

  private static String value(String line) {
    return line.substring(line.indexOf('=') + 1);
  }

  private static void write(SparkSession spark, String directory) {
    Dataset<Row> rows =
        spark
            .range(ROWS)
            .selectExpr("id", "id % " + KINDS + " as kind", "sha2(cast(id as string), 512) as sum")
            .repartition(2);
    rows.write().mode("overwrite").parquet(directory + "/parquet");
    rows.write().mode("overwrite").orc(directory + "/orc");
    rows.write().mode("overwrite").csv(directory + "/csv");
  }

  private static void read(SparkSession spark, String directory, byte[] text, byte[] bytes) {
    String some = "kind = 3 and id between 1000 and 50000";
    long expected = 0;
    for (long id = 1000; id <= 50_000; id++) {
      expected += id % KINDS == 3 ? id : 0;
    }
    Dataset<Row> parquet = spark.read().parquet(directory + "/parquet");
    Dataset<Row> orc = spark.read().orc(directory + "/orc");
    long all = ROWS * (ROWS - 1) / 2;
    take("parquet", all, () -> sum(parquet));
    take("parquet-predicate", expected, () -> sum(parquet.filter(some)));
    take("orc", all, () -> sum(orc));
    take("orc-predicate", expected, () -> sum(orc.filter(some)));
    String[] csv = {"cast(_c0 as bigint) as id", "cast(_c1 as bigint) as kind", "_c2 as sum"};
    take("csv", all, () -> sum(spark.read().csv(directory + "/csv").selectExpr(csv)));
    take(
        "text",
        Arrays.stream(new String(text, StandardCharsets.US_ASCII).split("\n"))
            .mapToLong(line -> crc(line.getBytes(StandardCharsets.US_ASCII)))
            .sum(),
        () ->
            spark
                .read()
                .text(directory + "/" + Probe.TEXT)
                .selectExpr("sum(crc32(cast(value as binary)))")
                .first()
                .getLong(0));
    take(
        "binary",
        crc(bytes),
        () ->
            spark
                .read()
                .format("binaryFile")
                .load(directory + "/" + Probe.BYTES)
                .selectExpr("crc32(content)")
                .first()
                .getLong(0));
  }

  /** The sum of the ids of the rows whose other columns match their ids. */
  private static long sum(Dataset<Row> rows) {
    return rows.filter("kind = id % " + KINDS + " and sum = sha2(cast(id as string), 512)")
        .selectExpr("sum(id)")
        .first()
        .getLong(0);
  }

  private static long crc(byte[] bytes) {
    CRC32 crc = new CRC32();
    crc.update(bytes, 0, bytes.length);
    return crc.getValue();
  }

  private static void take(String name, long expected, Way way) {
    String outcome;
    try {
      long read = way.read();
      outcome = read == expected ? "ok" : "failed WRONG BYTES: " + read + " instead of " + expected;
    } catch (Exception | Error e) {
      Throwable cause = e;
      while (cause.getCause() != null) {
        cause = cause.getCause();
      }
      outcome = "failed " + cause;
    }
    System.out.println(name + " " + outcome.replaceAll("\\s+", " "));
  }
}
