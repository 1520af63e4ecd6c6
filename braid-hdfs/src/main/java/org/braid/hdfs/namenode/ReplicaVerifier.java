package org.braid.hdfs.namenode;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.braid.hdfs.proto.BraidProtos.BlockProto;
import org.braid.hdfs.proto.BraidProtos.VerifyRequestProto;
import org.braid.hdfs.rpc.BraidWorkerPB;
import org.braid.hdfs.rpc.Rpc;

/** Asks workers to read a replica from disk; a worker that does not answer costs bounded time. */
final class ReplicaVerifier implements AutoCloseable {
  /** Longest time that reading one replica may take: 1 GiB at 10 MiB/s. */
  private static final long SECONDS = 100;

  private final NameNodeHost host;
  private final Configuration conf;
  private final ExecutorService calls =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "braid-verify");
            thread.setDaemon(true);
            return thread;
          });

  ReplicaVerifier(NameNodeHost host) {
    this.host = host;
    this.conf = new Configuration(host.conf());
  }

  /**
   * The CRC-32C of a replica, read from disk against HDFS's checksums.
   *
   * @throws IOException when the worker cannot be reached, does not answer or cannot read it
   */
  int crc(String ip, int port, BlockProto block) throws IOException {
    Future<Integer> answer = calls.submit(() -> host.asOwner(() -> ask(ip, port, block)));
    try {
      return answer.get(SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new IOException(
          "worker " + ip + ":" + port + " did not verify in " + SECONDS + " s", e);
    } catch (ExecutionException e) {
      throw new IOException(String.valueOf(e.getCause()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while verifying blk_" + block.getId(), e);
    } finally {
      answer.cancel(true);
    }
  }

  private int ask(String ip, int port, BlockProto block) throws IOException {
    BraidWorkerPB worker = Rpc.worker(conf, ip, port);
    try {
      return Rpc.call(
              () -> worker.verify(null, VerifyRequestProto.newBuilder().setBlock(block).build()))
          .getCrc32C();
    } finally {
      Rpc.stop(worker);
    }
  }

  @Override
  public void close() {
    calls.shutdownNow();
  }
}
