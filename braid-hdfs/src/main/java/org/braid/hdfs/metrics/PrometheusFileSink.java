package org.braid.hdfs.metrics;

import java.io.Closeable;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;
import org.apache.commons.configuration2.SubsetConfiguration;
import org.apache.hadoop.metrics2.MetricsException;
import org.apache.hadoop.metrics2.sink.PrometheusMetricsSink;
import org.jspecify.annotations.Nullable;

/**
 * A sink of Hadoop's metrics for processes without a web server, such as {@code braid daemon}: it
 * writes what {@code /prom} would answer into a file, which the text file collector of Prometheus's
 * node exporter reads. Its property {@value #FILE} names the file.
 */
public final class PrometheusFileSink extends PrometheusMetricsSink implements Closeable {
  /** Property of the sink: the file's path, which ends in {@code .prom}. */
  public static final String FILE = "filename";

  private @Nullable Path file;
  private boolean closed;

  @Override
  public synchronized void init(SubsetConfiguration conf) {
    super.init(conf);
    String name = conf.getString(FILE);
    if (name == null || !name.endsWith(".prom")) {
      throw new MetricsException(
          "the sink's property \"%s\" is to name a file that ends in .prom, not %s"
              .formatted(FILE, name));
    }
    file = Path.of(name).toAbsolutePath();
  }

  /** Readers see the whole file of before, or that of now. */
  @Override
  public synchronized void flush() {
    super.flush();
    if (closed) {
      return; // Hadoop closes a sink and then waits for its thread
    }
    Path target = Objects.requireNonNull(file, "the sink is not configured");
    Path fresh = target.resolveSibling(target.getFileName() + ".new");
    try {
      try (Writer out = Files.newBufferedWriter(fresh, StandardCharsets.UTF_8)) {
        writeMetrics(out);
      }
      Files.move(
          fresh, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new MetricsException("metrics cannot be written to " + target + ": " + e, e);
    }
  }

  /** What has ended has no figures any more. */
  @Override
  public synchronized void close() throws IOException {
    closed = true;
    Path target = file;
    if (target != null) {
      Files.deleteIfExists(target);
    }
  }
}
