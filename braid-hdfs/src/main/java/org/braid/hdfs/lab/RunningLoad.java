package org.braid.hdfs.lab;

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

/**
 * Reads or writes in the background until it is stopped. With a rate, requests are due at random
 * times whatever becomes of earlier ones, and what they wait for a free thread counts; without, a
 * thread's next request begins when its last one has ended.
 */
final class RunningLoad {
  private static final long END_SECONDS = 300;

  private final Command.StartLoad order;
  private final FileOrders files;
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

  RunningLoad(Command.StartLoad order, Access access, FileOrders files, long start)
      throws IOException {
    this.order = order;
    this.files = files;
    this.start = start;
    if (order.work() == Command.Work.READ) {
      for (String path : files.files(order.path())) {
        FileStatus status = access.files().getFileStatus(new Path(path));
        if (status.getLen() >= order.bytes()) {
          readable.add(status);
        }
      }
      if (readable.isEmpty()) {
        throw new IOException(
            "no file below " + order.path() + " has " + order.bytes() + " bytes to read");
      }
    }
    client = access.reader(order.client(), order.properties());
    threads = Executors.newFixedThreadPool(order.threads());
    arrivals = new Thread(this::arrive, "load-" + order.name());
    arrivals.setDaemon(true);
    arrivals.start();
  }

  private void arrive() {
    SplittableRandom random = new SplittableRandom(order.seed());
    if (order.rate() == 0) {
      for (int i = 0; i < order.threads(); i++) {
        int thread = i;
        SplittableRandom own = random.split();
        threads.execute(() -> loop(thread, own));
      }
      return;
    }
    long due = System.nanoTime();
    try {
      while (!stopped) {
        due += (long) (-Math.log(1 - random.nextDouble()) / order.rate() * 1e9);
        TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
        if (!stopped) {
          long at = due;
          SplittableRandom own = random.split();
          int thread = number.get() % order.threads();
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
      if (order.work() == Command.Work.READ) {
        read(thread, random);
      } else {
        write(random.nextLong());
      }
      long end = System.nanoTime();
      Answer.Request request =
          new Answer.Request((due - start) / 1e9, (end - due) / 1e9, order.bytes(), thread);
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
    int index = order.distinct() ? thread % readable.size() : random.nextInt(readable.size());
    FileStatus file = readable.get(index);
    long offset = random.nextLong(file.getLen() / order.bytes()) * order.bytes();
    Content.Seen seen =
        FileOrders.read(client, file.getPath().toUri().getPath(), offset, order.bytes());
    if (seen.bytes() != order.bytes()) {
      throw new IOException(
          "%s gave %d bytes from %d, not %d"
              .formatted(file.getPath(), seen.bytes(), offset, order.bytes()));
    }
  }

  private void write(long seed) throws IOException {
    String path = order.path() + "/" + order.name() + "-" + number.getAndIncrement();
    long block = order.blockBytes() == 0 ? order.bytes() : order.blockBytes();
    files.write(
        path, order.replication(), block, out -> new Content(seed).write(out, order.bytes()));
  }

  /** Lets what is under way end, and tells what it was like. */
  Answer.Load stop() throws IOException, InterruptedException {
    stopped = true;
    arrivals.interrupt();
    arrivals.join();
    threads.shutdown();
    if (!threads.awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
      abort();
      throw new IOException(
          "load " + order.name() + " has not ended " + END_SECONDS + " s after it was stopped");
    }
    client.close();
    synchronized (this) {
      return new Answer.Load(
          FileOrders.since(begun),
          done.stream().mapToLong(Answer.Request::bytes).sum(),
          List.copyOf(done),
          List.copyOf(failures));
    }
  }

  /** Ends at once. */
  void abort() throws IOException {
    stopped = true;
    arrivals.interrupt();
    threads.shutdownNow();
    client.close();
  }
}
