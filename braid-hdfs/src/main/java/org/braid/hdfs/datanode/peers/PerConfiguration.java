package org.braid.hdfs.datanode.peers;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An object that is created from a DataNode's configuration at its first use, and again after the
 * configuration was replaced: HDFS gives a running DataNode a new configuration when it gets other
 * NameNodes ({@code hdfs dfsadmin -refreshNamenodes}). Thread-safe.
 */
public final class PerConfiguration<T extends Closeable> implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(PerConfiguration.class);

  private final Supplier<Configuration> present;
  private final Maker<T> maker;

  /** Those that are open: the latest one last, and before it those that are still in use. */
  private final List<Made<T>> made = new ArrayList<>();

  private @Nullable Configuration by;
  private boolean closed;

  /** Creates the object. */
  @FunctionalInterface
  public interface Maker<T> {
    T make(Configuration conf) throws IOException;
  }

  private static final class Made<T> {
    private final T one;
    private int users;

    Made(T one) {
      this.one = one;
    }
  }

  /** A borrowed object: it stays open until this is closed, or the DataNode stops. */
  public static final class Held<T> implements AutoCloseable {
    private final T one;
    private final Runnable release;
    private final AtomicBoolean released = new AtomicBoolean();

    private Held(T one, Runnable release) {
      this.one = one;
      this.release = release;
    }

    /** The borrowed object. */
    public T one() {
      return one;
    }

    @Override
    public void close() {
      if (released.compareAndSet(false, true)) {
        release.run();
      }
    }
  }

  /**
   * Starts without an object.
   *
   * @param present returns the configuration of the DataNode, the same one until it is replaced
   */
  public PerConfiguration(Supplier<Configuration> present, Maker<T> maker) {
    this.present = present;
    this.maker = maker;
  }

  /**
   * Borrows the object of the present configuration. Objects of earlier configurations are closed
   * when nobody uses them.
   *
   * @throws IOException when none can be created, or this is closed
   */
  public Held<T> hold() throws IOException {
    Held<T> held;
    List<T> unused;
    synchronized (this) {
      if (closed) {
        throw new IOException("the DataNode is stopping");
      }
      Configuration now = present.get();
      if (made.isEmpty() || by != now) {
        made.add(new Made<>(maker.make(now)));
        by = now;
      }
      Made<T> latest = made.get(made.size() - 1);
      latest.users++;
      held = new Held<>(latest.one, () -> release(latest));
      unused = takeUnused();
    }
    unused.forEach(PerConfiguration::closeUnused);
    return held;
  }

  private void release(Made<T> used) {
    List<T> unused;
    synchronized (this) {
      used.users--;
      unused = takeUnused();
    }
    unused.forEach(PerConfiguration::closeUnused);
  }

  /** Takes out what nobody uses any more; it is closed without the lock, as that may take long. */
  private List<T> takeUnused() {
    List<Made<T>> earlier = made.subList(0, Math.max(0, made.size() - 1));
    List<T> unused =
        earlier.stream().filter(each -> each.users == 0).map(each -> each.one).toList();
    earlier.removeIf(each -> each.users == 0);
    return unused;
  }

  private static void closeUnused(Closeable one) {
    try {
      one.close();
    } catch (IOException e) {
      LOG.debug("closing what an earlier configuration has made says {}", e.getMessage());
    }
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    IOException first = null;
    for (Made<T> each : made) {
      try {
        each.one.close();
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
