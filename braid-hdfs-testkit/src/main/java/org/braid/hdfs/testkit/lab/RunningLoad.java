package org.braid.hdfs.testkit.lab;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.braid.thread.DaemonThreads;

/**
 * Reads or writes in the background until it is stopped. With a rate, requests are due at random
 * times regardless of earlier ones, and latency includes the wait for a thread; without, each
 * thread sends its next request when the last one has ended.
 */
final class RunningLoad {
  private static final long END_SECONDS = 300;

  private final Command.StartLoad command;
  private final FileCommands files;
  private final long start;
  private final DistributedFileSystem client;
  private final List<FileStatus> readable = new ArrayList<>();
  private final ExecutorService threads;
  private final Thread arrivals;
  private final long begun = System.nanoTime();
  private final AtomicInteger number = new AtomicInteger();
  private final List<Answer.Request> done = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private volatile boolean stopped;

  RunningLoad(Command.StartLoad command, ClusterClients clients, FileCommands files, long start)
      throws IOException {
    this.command = command;
    this.files = files;
    this.start = start;
    if (command.work() == Command.Work.READ) {
      for (String path : files.files(command.path())) {
        FileStatus status = clients.files().getFileStatus(new Path(path));
        if (status.getLen() >= command.bytes()) {
          readable.add(status);
        }
      }
      if (readable.isEmpty()) {
        throw new IOException(
            "no file below " + command.path() + " has " + command.bytes() + " bytes to read");
      }
    }
    client = clients.reader(command.client(), command.properties());
    threads = Executors.newFixedThreadPool(command.threads());
    arrivals = DaemonThreads.of("load-" + command.name(), this::arrive);
    arrivals.start();
  }

  private void arrive() {
    SplittableRandom random = new SplittableRandom(command.seed());
    if (command.rate() == 0) {
      for (int i = 0; i < command.threads(); i++) {
        int thread = i;
        SplittableRandom own = random.split();
        threads.execute(() -> loop(thread, own));
      }
      return;
    }
    long due = System.nanoTime();
    try {
      while (!stopped) {
        due += (long) (-Math.log(1 - random.nextDouble()) / command.rate() * 1e9);
        TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
        if (!stopped) {
          long at = due;
          SplittableRandom own = random.split();
          int thread = number.get() % command.threads();
          threads.execute(() -> request(at, thread, own));
        }
      }
    } catch (InterruptedException e) {
      // The load is stopped.
    }
  }

  private void loop(int thread, SplittableRandom random) {
    while (!stopped) {
      request(System.nanoTime(), thread, random);
    }
  }

  private void request(long due, int thread, SplittableRandom random) {
    try {
      if (command.work() == Command.Work.READ) {
        read(thread, random);
      } else {
        write(random.nextLong());
      }
      long end = System.nanoTime();
      Answer.Request request =
          new Answer.Request((due - start) / 1e9, (end - due) / 1e9, command.bytes(), thread);
      synchronized (this) {
        done.add(request);
      }
    } catch (IOException | RuntimeException e) {
      synchronized (this) {
        failures.add(String.valueOf(e.getMessage()));
      }
    }
  }

  private void read(int thread, SplittableRandom random) throws IOException {
    int index = command.distinct() ? thread % readable.size() : random.nextInt(readable.size());
    FileStatus file = readable.get(index);
    long offset = random.nextLong(file.getLen() / command.bytes()) * command.bytes();
    FileContent.Digest seen =
        FileCommands.read(client, file.getPath().toUri().getPath(), offset, command.bytes());
    if (seen.bytes() != command.bytes()) {
      throw new IOException(
          "%s gave %d bytes from %d, not %d"
              .formatted(file.getPath(), seen.bytes(), offset, command.bytes()));
    }
  }

  private void write(long seed) throws IOException {
    String path = command.path() + "/" + command.name() + "-" + number.getAndIncrement();
    long block = command.blockBytes() == 0 ? command.bytes() : command.blockBytes();
    files.write(
        path,
        command.replication(),
        block,
        out -> new FileContent(seed).write(out, command.bytes()));
  }

  /** Waits for running requests and returns the results. */
  Answer.Load stop() throws IOException, InterruptedException {
    stopped = true;
    arrivals.interrupt();
    arrivals.join();
    threads.shutdown();
    if (!threads.awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
      abort();
      throw new IOException(
          "load " + command.name() + " has not ended " + END_SECONDS + " s after it was stopped");
    }
    client.close();
    synchronized (this) {
      return new Answer.Load(
          FileCommands.since(begun),
          done.stream().mapToLong(Answer.Request::bytes).sum(),
          List.copyOf(done),
          List.copyOf(failures));
    }
  }

  /** Ends without waiting for running requests. */
  void abort() throws IOException {
    stopped = true;
    arrivals.interrupt();
    threads.shutdownNow();
    client.close();
  }
}
