package org.braid.hdfs.lab;

import java.io.Closeable;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The loads that run now, by name. Thread-safe. */
final class Loads implements Closeable {
  private final Access access;
  private final FileOrders files;
  private final long start;
  private final Map<String, RunningLoad> running = new HashMap<>();

  Loads(Access access, FileOrders files, long start) {
    this.access = access;
    this.files = files;
    this.start = start;
  }

  void start(Command.StartLoad order) throws IOException {
    if (order.threads() < 1 || order.bytes() < 1) {
      throw new IllegalArgumentException(
          "a load of %d threads and requests of %d bytes does nothing"
              .formatted(order.threads(), order.bytes()));
    }
    synchronized (this) {
      if (running.containsKey(order.name())) {
        throw new IllegalArgumentException("load " + order.name() + " runs already");
      }
      running.put(order.name(), new RunningLoad(order, access, files, start));
    }
  }

  Answer.Load stop(String name) throws IOException, InterruptedException {
    RunningLoad load;
    synchronized (this) {
      load = running.remove(name);
    }
    if (load == null) {
      throw new IllegalArgumentException("no load " + name + " runs");
    }
    return load.stop();
  }

  @Override
  public void close() throws IOException {
    List<RunningLoad> left;
    synchronized (this) {
      left = List.copyOf(running.values());
      running.clear();
    }
    for (RunningLoad load : left) {
      load.abort();
    }
  }
}
