package org.braid.hdfs.testkit.bench.namenode;

import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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
import org.braid.hdfs.rpc.BraidPaths;

/** Calls of many clients at once, over RPC as clients make them. */
final class NameNodeLoad implements Closeable {
  private static final int CLIENTS = 4;
  private static final long NANOS = TimeUnit.SECONDS.toNanos(4);

  /** Nanoseconds where there are too few stripes for the figures to say much. */
  private static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private static final String CLIENT = "bench";
  private static final String STOCK = "/load/stock";
  private static final String EAR = "/load/ear";

  /** A client's call. */
  private interface Call {
    void run(int number) throws IOException;
  }

  private final InjectedStripes stripes;
  private final DFSClient client;
  private final ClientProtocol calls;
  private final AtomicInteger numbers = new AtomicInteger();
  private final ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);

  NameNodeLoad(URI uri, Configuration conf, InjectedStripes stripes) throws IOException {
    this.stripes = stripes;
    this.client = new DFSClient(uri, conf);
    this.calls = client.getNamenode();
    calls.mkdirs(STOCK, FsPermission.getDirDefault(), true);
  }

  /** Milliseconds of a client to create a file and add its first block. */
  double addBlock() throws Exception {
    return measure(number -> write(STOCK, number));
  }

  /** The same in a directory with encoding-aware replication. */
  double addBlockForeseen() throws Exception {
    calls.mkdirs(EAR, FsPermission.getDirDefault(), true);
    client.setXAttr(
        EAR,
        BraidPaths.EAR_XATTR,
        stripes.code().name().getBytes(StandardCharsets.UTF_8),
        EnumSet.of(XAttrSetFlag.CREATE));
    return measure(number -> write(EAR, number));
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
          int stripe = (int) (number * 7919L % stripes.count());
          calls.getBlockLocations(InjectedImage.file(stripe), 0, length);
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

  private double measure(Call call) throws Exception {
    long nanos = stripes.count() < NameNodeRows.JUDGED ? SHORT_NANOS : NANOS;
    run(call, nanos / 4);
    return run(call, nanos);
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
