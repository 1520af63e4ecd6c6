package org.braid.hdfs.testkit.bench.namenode;

import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
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
  private static final long WARM_NANOS = TimeUnit.SECONDS.toNanos(3);
  private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(1500);

  /** Number of stripes below which calls are too short or too few for meaningful figures. */
  static final int FEW = 1000;

  private static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /** Runs of each operation of which the median counts. */
  private static final int ROUNDS = 5;

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

  /**
   * The costs of operations.
   *
   * @param milliseconds a client's milliseconds by operation: the median of several runs
   * @param besides what the user of {@link Operation#ADD_BLOCK_BESIDE} did meanwhile
   */
  record Taken(Map<Operation, Double> milliseconds, String besides) {}

  /**
   * Operations of many concurrent clients. They run in turn, several times, after a warm-up of
   * each: the first operations of a process are slower than later ones, and so are those on a busy
   * disk.
   */
  enum Operation {
    /** A file is created and its first block added. */
    ADD_BLOCK,
    /** Where the blocks of a file are. */
    LOCATIONS,
    /** The replication of a file that is in no stripe is changed. */
    SET_REPLICATION,
    /** A converted file gets another name, and its own again. */
    RENAME,
    /** A file is created, its first block added, and it is deleted. */
    CREATE_DELETE,
    /** {@link #ADD_BLOCK} while a user without rights sends calls without end. */
    ADD_BLOCK_BESIDE,
    /** {@link #ADD_BLOCK} in a directory with encoding-aware replication, if there is Braid. */
    ADD_BLOCK_FORESEEN
  }

  /** One run of an operation: the milliseconds that it takes a client. */
  private interface Run {
    double during(long nanos) throws Exception;
  }

  /**
   * Measures all operations.
   *
   * @param braid whether Braid's are measured, or HDFS's own
   */
  Taken measure(boolean braid) throws Exception {
    foresee(braid);
    long length = InjectedStripes.BLOCK_BYTES * stripes.code().k();
    AskingUser user = new AskingUser(braid);
    Map<Operation, Run> runs = new EnumMap<>(Operation.class);
    Run addBlock = of(number -> write(STOCK, number));
    runs.put(Operation.ADD_BLOCK, addBlock);
    runs.put(
        Operation.LOCATIONS,
        of(number -> calls.getBlockLocations(InjectedImage.file(stripeOf(number)), 0, length)));
    runs.put(
        Operation.SET_REPLICATION,
        of(
            number ->
                calls.setReplication(
                    InjectedImage.looseFile(number % stripes.loose()),
                    (short) (InjectedStripes.REPLICATION + number / stripes.loose() % 2))));
    runs.put(Operation.RENAME, of(number -> rename(InjectedImage.file(stripeOf(number)))));
    runs.put(
        Operation.CREATE_DELETE,
        of(
            number -> {
              write(STOCK, number);
              calls.delete(path(STOCK, number), false);
            }));
    runs.put(Operation.ADD_BLOCK_BESIDE, nanos -> user.beside(addBlock, nanos));
    runs.put(Operation.ADD_BLOCK_FORESEEN, of(number -> write(EAR, number)));
    boolean few = stripes.count() < FEW;
    for (Run run : runs.values()) {
      double unused = run.during(few ? SHORT_NANOS : WARM_NANOS);
    }
    Map<Operation, List<Double>> times = new EnumMap<>(Operation.class);
    for (int round = 0; round < ROUNDS; round++) {
      for (var run : runs.entrySet()) {
        double millis = run.getValue().during(few ? SHORT_NANOS / ROUNDS : NANOS);
        times.computeIfAbsent(run.getKey(), key -> new ArrayList<>()).add(millis);
      }
    }
    Map<Operation, Double> medians = new EnumMap<>(Operation.class);
    times.forEach((operation, each) -> medians.put(operation, median(each)));
    return new Taken(medians, user.toString());
  }

  private void foresee(boolean braid) throws IOException {
    calls.mkdirs(EAR, FsPermission.getDirDefault(), true);
    if (braid) {
      client.setXAttr(
          EAR,
          BraidPaths.EAR_XATTR,
          stripes.code().name().getBytes(StandardCharsets.UTF_8),
          EnumSet.of(XAttrSetFlag.CREATE));
    }
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

  private static String path(String directory, int number) {
    return directory + "/f" + number;
  }

  /** Of two clients with one file, what the second finds moved is left to it. */
  @SuppressWarnings("deprecation") // the other one fails where this one answers
  private void rename(String path) throws IOException {
    String other = path + ".renamed";
    calls.rename(path, other);
    calls.rename(other, path);
  }

  private void write(String directory, int number) throws IOException {
    String path = path(directory, number);
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

  /** A user without rights, who asks without end and does not wait when asked to. */
  private final class AskingUser {
    private final List<Call> questions = new ArrayList<>();
    private final AtomicLong asked = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();

    /**
     * One that has not begun.
     *
     * @param stripes whether it asks for the stripe of a file, or else, as HDFS has none, for its
     *     status
     */
    AskingUser(boolean stripes) throws Exception {
      UserGroupInformation user = UserGroupInformation.createRemoteUser("nobody-in-particular");
      for (int i = 0; i < CLIENTS; i++) {
        questions.add(
            user.doAs(
                (PrivilegedExceptionAction<Call>)
                    () -> stripes ? stripeQuestion() : statusQuestion()));
      }
    }

    /** Asks as long as something else runs. */
    double beside(Run run, long nanos) throws Exception {
      AtomicBoolean over = new AtomicBoolean();
      List<Thread> threads =
          questions.stream()
              .map(each -> DaemonThreads.of("asking", () -> ask(each, over)))
              .toList();
      threads.forEach(Thread::start);
      try {
        return run.during(nanos);
      } finally {
        over.set(true);
        for (Thread thread : threads) {
          thread.join();
        }
      }
    }

    private void ask(Call question, AtomicBoolean over) {
      while (!over.get()) {
        try {
          question.run((int) asked.getAndIncrement());
        } catch (IOException e) {
          refused.getAndIncrement();
        }
      }
    }

    @Override
    public String toString() {
      return "%d questions, %d refused".formatted(asked.get(), refused.get());
    }
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

  private Run of(Call call) {
    return nanos -> run(call, nanos);
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
