package org.braid.hdfs.datanode.peers;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * What is made by the configuration of a DataNode when it is first needed, and made anew when that
 * is another one: HDFS gives a DataNode that is told of other NameNodes while it runs ({@code hdfs
 * dfsadmin -refreshNamenodes}) a new one. Thread-safe.
 */
public final class PerConfiguration<T extends Closeable> implements Closeable {
  private final Supplier<Configuration> present;
  private final Maker<T> maker;

  /** The latest one last. The one before may still be in use, those before it are closed. */
  private final List<T> made = new ArrayList<>();

  private @Nullable Configuration by;
  private boolean closed;

  /** Makes one. */
  @FunctionalInterface
  public interface Maker<T> {
    T make(Configuration conf) throws IOException;
  }

  /**
   * Nothing yet.
   *
   * @param present gives the configuration of the DataNode, the same one until it is replaced
   */
  public PerConfiguration(Supplier<Configuration> present, Maker<T> maker) {
    this.present = present;
    this.maker = maker;
  }

  /**
   * The one of the present configuration.
   *
   * @throws IOException when none can be made, or this is closed
   */
  public synchronized T get() throws IOException {
    if (closed) {
      throw new IOException("the DataNode is stopping");
    }
    Configuration now = present.get();
    if (made.isEmpty() || by != now) {
      made.add(maker.make(now));
      by = now;
      if (made.size() > 2) {
        made.remove(0).close();
      }
    }
    return made.get(made.size() - 1);
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    IOException first = null;
    for (T one : made) {
      try {
        one.close();
      } catch (IOException e) {
        first = first == null ? e : first;
      }
    }
    made.clear();
    if (first != null) {
      throw first;
    }
  }
}
