package org.braid.hdfs.namenode.stripes;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.ipc.RpcNoSuchProtocolException;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.braid.hdfs.failure.Causes;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.stripes.ReplicaChoice.Candidate;
import org.braid.hdfs.proto.BraidProtos.PinRequestProto;
import org.braid.hdfs.proto.BraidProtos.VerifyRequestProto;
import org.braid.hdfs.rpc.BraidWorkerPB;
import org.braid.hdfs.rpc.Rpc;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.StripeCodec;
import org.braid.thread.DaemonThreads;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks workers to read a replica from disk, and to pin it. All calls have time-outs. */
public final class ReplicaVerifier implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaVerifier.class);

  /** Longest time that reading one replica may take: 1 GiB at 10 MiB/s. */
  private static final long SECONDS = 100;

  /**
   * The state of a replica is unknown, because the worker did not answer; a later call may succeed.
   */
  public static class UnansweredException extends IOException {
    private static final long serialVersionUID = 1L;

    UnansweredException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** The DataNode serves no worker calls: it runs without Braid, or is starting. */
  public static final class NoWorkerException extends UnansweredException {
    private static final long serialVersionUID = 1L;

    NoWorkerException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  private final NameNodeHost host;
  private final Rpc.WorkerStubs workers;
  private final ExecutorService calls =
      Executors.newCachedThreadPool(DaemonThreads.named("braid-verify"));

  public ReplicaVerifier(NameNodeHost host) {
    this.host = host;
    this.workers = Rpc.workers(host.conf());
  }

  /**
   * The CRC-32C of a replica, which the worker forces to disk and reads from there against HDFS's
   * checksums.
   *
   * @throws UnansweredException when the replica's state is unknown: the worker is unreachable,
   *     slow, busy, stopping, or does not serve the pool yet
   * @throws NoWorkerException when there is no worker
   * @throws IOException when the worker cannot read the replica
   */
  public int crc(String ip, int port, BlockIdentity block) throws IOException {
    return call(
            ip,
            port,
            worker ->
                worker.verify(
                    null,
                    VerifyRequestProto.newBuilder()
                        .setBlock(StripeCodec.toProto(block))
                        .setForced(true)
                        .build()))
        .getCrc32C();
  }

  /** Whether a replica has the CRC that its stripe recorded; logs a difference. */
  boolean isAsRecorded(String stripe, Member recorded, Candidate candidate) {
    try {
      int crc = crc(candidate.ip(), candidate.port(), recorded.block());
      if (crc == recorded.crc()) {
        return true;
      }
      LOG.warn(
          "blk_{} of stripe {} on {}: CRC-32C is {}, recorded is {}",
          recorded.block().id(),
          stripe,
          candidate.uuid(),
          Integer.toHexString(crc),
          Integer.toHexString(recorded.crc()));
    } catch (IOException e) {
      LOG.warn(
          "blk_{} of stripe {} on {} could not be verified: {}",
          recorded.block().id(),
          stripe,
          candidate.uuid(),
          e.getMessage());
    }
    return false;
  }

  /**
   * Pins a replica to its DataNode, if the DataNode supports pins. This keeps Balancer and Mover
   * from repeating moves that the NameNode refuses.
   */
  void pin(String ip, int port, BlockIdentity block) throws IOException {
    call(
        ip,
        port,
        worker ->
            worker.pin(
                null,
                PinRequestProto.newBuilder()
                    .addBlocks(StripeCodec.toProto(block))
                    .setPinned(true)
                    .build()));
  }

  /** A call of a worker. */
  @FunctionalInterface
  private interface Call<T> {
    T on(BraidWorkerPB worker) throws ServiceException;
  }

  private <T> T call(String ip, int port, Call<T> call) throws IOException {
    Future<T> answer = calls.submit(() -> host.asOwner(() -> ask(ip, port, call)));
    try {
      return answer.get(SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new UnansweredException(
          "worker " + ip + ":" + port + " did not answer in " + SECONDS + " s", e);
    } catch (ExecutionException e) {
      throw failure(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnansweredException("interrupted while asking worker " + ip + ":" + port, e);
    } finally {
      answer.cancel(true);
    }
  }

  /** The exception for the caller of a failed call. */
  static IOException failure(ExecutionException call) {
    String message = String.valueOf(call.getCause());
    if (Causes.of(call).stream().anyMatch(e -> e instanceof RpcNoSuchProtocolException)) {
      return new NoWorkerException(message, call);
    }
    return Rpc.isFinding(call)
        ? new IOException(message, call)
        : new UnansweredException(message, call);
  }

  private <T> T ask(String ip, int port, Call<T> call) throws IOException {
    BraidWorkerPB worker = workers.at(ip, port, host.namesystem().getBlockPoolId());
    try {
      return Rpc.call(() -> call.on(worker));
    } finally {
      Rpc.stop(worker);
    }
  }

  @Override
  public void close() {
    calls.shutdownNow();
  }
}
