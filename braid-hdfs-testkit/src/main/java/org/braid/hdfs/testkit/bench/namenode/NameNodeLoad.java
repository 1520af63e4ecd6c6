package org.braid.hdfs.testkit.bench.namenode;

import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.io.EnumSetWritable;
import org.apache.hadoop.security.UserGroupInformation;
import org.braid.hdfs.proto.BraidProtos.StripesRequestProto;
import org.braid.hdfs.rpc.BraidNameNodePB;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.rpc.Rpc;
import org.braid.thread.DaemonThreads;

/** Calls of many clients at once, over RPC as clients make them. */
final class NameNodeLoad implements Closeable {
  private static final int CLIENTS = 4;
  private static final long NANOS = TimeUnit.SECONDS.toNanos(3);

  /** With fewer stripes nothing is called for long or often: the figures say little. */
  static final int FEW = 1000;

  private static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /** Runs of which the median counts; together they take as long as what warms up before them. */
  private static final int RUNS = 3;

  /** Directories that are deleted at most. */
  private static final int DELETED = 5;

  private static final String CLIENT = "bench";
  private static final String STOCK = "/load/stock";
  private static final String EAR = "/load/ear";

  /** A client's call. */
  private interface Call {
    void run(int number) throws IOException;
  }

  private final URI uri;
  private final Configuration conf;
  private final InjectedStripes stripes;
  private final DFSClient client;
  private final ClientProtocol calls;
  private final AtomicInteger numbers = new AtomicInteger();
  private final ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);

  NameNodeLoad(URI uri, Configuration conf, InjectedStripes stripes) throws IOException {
    this.uri = uri;
    this.conf = conf;
    this.stripes = stripes;
    this.client = new DFSClient(uri, conf);
    this.calls = client.getNamenode();
    calls.mkdirs(STOCK, FsPermission.getDirDefault(), true);
  }

  /** Options of the JVM; with few stripes its code runs too briefly for the best compiler. */
  static List<String> options(int stripes) {
    return stripes < FEW ? List.of("-XX:TieredStopAtLevel=1") : List.of();
  }

  /** Milliseconds of a client to create a file and add its first block. */
  double addBlock() throws Exception {
    return measure(number -> write(STOCK, number));
  }

  /**
   * The same in another directory.
   *
   * @param foreseen whether it has encoding-aware replication
   */
  double addBlockElsewhere(boolean foreseen) throws Exception {
    calls.mkdirs(EAR, FsPermission.getDirDefault(), true);
    if (foreseen) {
      client.setXAttr(
          EAR,
          BraidPaths.EAR_XATTR,
          stripes.code().name().getBytes(StandardCharsets.UTF_8),
          EnumSet.of(XAttrSetFlag.CREATE));
    }
    return measure(number -> write(EAR, number));
  }

  /** Milliseconds to delete a directory of files, the median of a few; these are gone then. */
  double delete() throws IOException {
    List<Double> times = new ArrayList<>();
    for (String directory : InjectedImage.directories(stripes, DELETED)) {
      long begun = System.nanoTime();
      if (!calls.delete(directory, true)) {
        throw new IOException(directory + " is not there");
      }
      times.add((System.nanoTime() - begun) / 1e6);
    }
    return median(times);
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }

  private void write(String directory, int number) throws IOException {
    String path = directory + "/f" + number;
    HdfsFileStatus file =
        calls.create(
            path,
            FsPermission.getFileDefault(),
            CLIENT,
            new EnumSetWritable<>(EnumSet.of(CreateFlag.CREATE)),
            true,
            (short) InjectedStripes.REPLICATION,
            InjectedStripes.BLOCK_BYTES,
            CryptoProtocolVersion.supported(),
            null,
            null);
    calls.addBlock(
        path, CLIENT, null, null, file.getFileId(), null, EnumSet.noneOf(AddBlockFlag.class));
  }

  /** Milliseconds of a client to ask where the blocks of a file are. */
  double getBlockLocations() throws Exception {
    long length = InjectedStripes.BLOCK_BYTES * stripes.code().k();
    return measure(
        number -> {
          calls.getBlockLocations(InjectedImage.file(stripeOf(number)), 0, length);
        });
  }

  /** Milliseconds of a client to change the replication of a file that is in no stripe. */
  double setReplication() throws Exception {
    return measure(
        number ->
            calls.setReplication(
                InjectedImage.looseFile(number % stripes.loose()),
                (short) (InjectedStripes.REPLICATION + number / stripes.loose() % 2)));
  }

  /**
   * What a call takes beside a user.
   *
   * @param remark what that user did
   */
  record Beside(double milliseconds, String remark) {}

  /**
   * The milliseconds of {@link #addBlock} beside a user without rights, who asks without end and
   * does not wait when asked to.
   *
   * @param stripes whether for the stripe of a file, or else, as HDFS has none, for its status
   */
  Beside addBlockBeside(boolean stripes) throws Exception {
    UserGroupInformation user = UserGroupInformation.createRemoteUser("nobody-in-particular");
    AtomicLong asked = new AtomicLong();
    AtomicLong refused = new AtomicLong();
    AtomicBoolean over = new AtomicBoolean();
    List<Thread> threads = new ArrayList<>();
    double milliseconds;
    try {
      for (int i = 0; i < CLIENTS; i++) {
        Call question =
            user.doAs(
                (PrivilegedExceptionAction<Call>)
                    () -> stripes ? stripeQuestion() : statusQuestion());
        Thread thread =
            DaemonThreads.of(
                "asking",
                () -> {
                  while (!over.get()) {
                    try {
                      question.run((int) asked.getAndIncrement());
                    } catch (IOException e) {
                      refused.getAndIncrement();
                    }
                  }
                });
        thread.start();
        threads.add(thread);
      }
      milliseconds = measure(number -> write(STOCK, number));
    } finally {
      over.set(true);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return new Beside(
        milliseconds, "%d questions, %d refused".formatted(asked.get(), refused.get()));
  }

  private Call statusQuestion() throws IOException {
    DFSClient own = new DFSClient(uri, conf);
    return number -> {
      var unused = own.getFileInfo(InjectedImage.file(stripeOf(number)));
    };
  }

  private Call stripeQuestion() throws IOException {
    BraidNameNodePB stub = Rpc.nameNode(conf, Rpc.nameNodeAddress(conf, uri));
    return number -> {
      int stripe = stripeOf(number);
      StripesRequestProto request =
          StripesRequestProto.newBuilder()
              .setReadingPath(InjectedImage.file(stripe))
              .addBlockIds(stripes.block(stripe, 0).getBlockId())
              .build();
      var unused = Rpc.call(() -> stub.stripes(null, request));
    };
  }

  private int stripeOf(int number) {
    return (int) (Math.floorMod(number, 1 << 20) * 7919L % stripes.count());
  }

  private double measure(Call call) throws Exception {
    long nanos = stripes.count() < FEW ? SHORT_NANOS : NANOS;
    double unused = run(call, nanos);
    List<Double> runs = new ArrayList<>();
    for (int i = 0; i < RUNS; i++) {
      runs.add(run(call, nanos / RUNS));
    }
    return median(runs);
  }

  private double run(Call call, long nanos) throws Exception {
    long begun = System.nanoTime();
    Callable<Integer> one =
        () -> {
          int done = 0;
          while (System.nanoTime() - begun < nanos) {
            call.run(numbers.getAndIncrement());
            done++;
          }
          return done;
        };
    List<Future<Integer>> running = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      running.add(clients.submit(one));
    }
    long done = 0;
    for (Future<Integer> each : running) {
      done += each.get();
    }
    return CLIENTS * (System.nanoTime() - begun) / 1e6 / done;
  }

  @Override
  public void close() throws IOException {
    clients.shutdownNow();
    client.close();
  }
}
