package org.braid.hdfs.testkit.lab;

import java.io.Closeable;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The running loads, by name. Thread-safe. */
final class BackgroundLoads implements Closeable {
  private final ClusterClients clients;
  private final FileCommands files;
  private final long start;
  private final Map<String, RunningLoad> running = new HashMap<>();

  BackgroundLoads(ClusterClients clients, FileCommands files, long start) {
    this.clients = clients;
    this.files = files;
    this.start = start;
  }

  void start(Command.StartLoad command) throws IOException {
    if (command.threads() < 1 || command.bytes() < 1) {
      throw new IllegalArgumentException(
          "a load of %d threads and requests of %d bytes does nothing"
              .formatted(command.threads(), command.bytes()));
    }
    synchronized (this) {
      if (running.containsKey(command.name())) {
        throw new IllegalArgumentException("load " + command.name() + " runs already");
      }
      running.put(command.name(), new RunningLoad(command, clients, files, start));
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
