package org.braid.hdfs.rpc;

import java.io.Closeable;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.braid.hdfs.proto.BraidProtos.BlockProto;
import org.braid.hdfs.proto.BraidProtos.CancelRequestProto;
import org.braid.hdfs.proto.BraidProtos.CancelResponseProto;
import org.braid.hdfs.proto.BraidProtos.ChecksumProto;
import org.braid.hdfs.proto.BraidProtos.ChecksumRequestProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteRequestProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteResponseProto;
import org.braid.hdfs.proto.BraidProtos.OpProto;
import org.braid.hdfs.proto.BraidProtos.PaceRequestProto;
import org.braid.hdfs.proto.BraidProtos.PaceResponseProto;
import org.braid.hdfs.proto.BraidProtos.PinRequestProto;
import org.braid.hdfs.proto.BraidProtos.PinResponseProto;
import org.braid.hdfs.proto.BraidProtos.PingRequestProto;
import org.braid.hdfs.proto.BraidProtos.PingResponseProto;
import org.braid.hdfs.proto.BraidProtos.ScrubRequestProto;
import org.braid.hdfs.proto.BraidProtos.ScrubResponseProto;
import org.braid.hdfs.proto.BraidProtos.SyncRequestProto;
import org.braid.hdfs.proto.BraidProtos.SyncResponseProto;
import org.braid.hdfs.proto.BraidProtos.VerifyRequestProto;
import org.braid.hdfs.proto.BraidProtos.VerifyResponseProto;
import org.braid.hdfs.time.AwakeTime;
import org.braid.thread.DaemonThreads;
import org.jspecify.annotations.Nullable;

/**
 * Calls of a worker for one of its DataNode's block pools, each with a time-out: no caller waits
 * for ever for a stopped process or a hanging disk. Calls that move bytes have additional time for
 * these bytes. A part of a run, which is a fragment or a verification, may take as long as it
 * progresses or its rate holds it back. The stub asks the worker for that progress.
 */
final class WorkerStub implements BraidWorkerPB, Closeable {
  /** Minimum rate of a disk under load. */
  private static final long DISK_BYTES_PER_MILLI = 2000;

  private static final ExecutorService CALLS =
      Rpc.threads(DaemonThreads.named("braid-worker-call"));

  private final BraidWorkerPB stub;
  private final String name;
  private final String blockPool;
  private final Timeouts timeouts;

  /**
   * Time-outs of a worker, in milliseconds.
   *
   * @param answer time-out of calls that the worker answers at once
   * @param disk time-out of calls that use a disk, in addition to the time for their bytes
   * @param stall time-out of a fragment without progress, in addition to the time for its bytes
   * @param look interval of the questions whether a part of a run progresses
   */
  record Timeouts(long answer, long disk, long stall, long look) {
    /**
     * The time-outs in production.
     *
     * @param stream time-out of a stream, which must fail a waiting fragment before {@code stall}
     *     does
     */
    static Timeouts standard(long stream) {
      return new Timeouts(20_000, 30_000, 30_000 + stream, 10_000);
    }
  }

  /**
   * Wraps a stub.
   *
   * @param name name of the worker in messages
   * @param blockPool block pool of the calls; empty for the only one
   */
  WorkerStub(BraidWorkerPB stub, String name, String blockPool, Timeouts timeouts) {
    this.stub = stub;
    this.name = name;
    this.blockPool = blockPool;
    this.timeouts = timeouts;
  }

  @Override
  public PingResponseProto ping(@Nullable RpcController controller, PingRequestProto request)
      throws ServiceException {
    PingRequestProto own = request.toBuilder().setBlockPool(blockPool).build();
    return within("ping", timeouts.answer(), () -> stub.ping(controller, own));
  }

  @Override
  public ExecuteResponseProto execute(RpcController controller, ExecuteRequestProto request)
      throws ServiceException {
    ExecuteRequestProto own = request.toBuilder().setBlockPool(blockPool).build();
    return watched(
        "fragment",
        request.getRun(),
        timeouts.stall() + millis(bytes(request)),
        () -> stub.execute(controller, own));
  }

  @Override
  public VerifyResponseProto verify(RpcController controller, VerifyRequestProto request)
      throws ServiceException {
    VerifyRequestProto own = request.toBuilder().setBlockPool(blockPool).build();
    long patience = timeouts.disk() + millis(request.getBlock().getLength());
    return request.getRun().isEmpty()
        ? within("verify", patience, () -> stub.verify(controller, own))
        : watched("verify", request.getRun(), patience, () -> stub.verify(controller, own));
  }

  @Override
  public ScrubResponseProto scrub(RpcController controller, ScrubRequestProto request)
      throws ServiceException {
    ScrubRequestProto own = request.toBuilder().setBlockPool(blockPool).build();
    long length = request.getBlock().getLength();
    long slow = request.getRate() > 0 ? 1000 * length / request.getRate() : 0;
    return within(
        "scrub", timeouts.disk() + millis(length) + 2 * slow, () -> stub.scrub(controller, own));
  }

  @Override
  public ChecksumProto checksum(RpcController controller, ChecksumRequestProto request)
      throws ServiceException {
    ChecksumRequestProto own = request.toBuilder().setBlockPool(blockPool).build();
    return within("checksum", timeouts.disk(), () -> stub.checksum(controller, own));
  }

  @Override
  public SyncResponseProto sync(RpcController controller, SyncRequestProto request)
      throws ServiceException {
    SyncRequestProto own = request.toBuilder().setBlockPool(blockPool).build();
    long bytes = request.getBlocksList().stream().mapToLong(BlockProto::getLength).sum();
    return within("sync", timeouts.disk() + millis(bytes), () -> stub.sync(controller, own));
  }

  @Override
  public PinResponseProto pin(RpcController controller, PinRequestProto request)
      throws ServiceException {
    PinRequestProto own = request.toBuilder().setBlockPool(blockPool).build();
    return within("pin", timeouts.disk(), () -> stub.pin(controller, own));
  }

  @Override
  public CancelResponseProto cancel(@Nullable RpcController controller, CancelRequestProto request)
      throws ServiceException {
    CancelRequestProto own = request.toBuilder().setBlockPool(blockPool).build();
    return within("cancel", timeouts.answer(), () -> stub.cancel(controller, own));
  }

  @Override
  public PaceResponseProto pace(RpcController controller, PaceRequestProto request)
      throws ServiceException {
    PaceRequestProto own = request.toBuilder().setBlockPool(blockPool).build();
    return within("pace", timeouts.answer(), () -> stub.pace(controller, own));
  }

  private static long millis(long bytes) {
    return Math.max(0, bytes) / DISK_BYTES_PER_MILLI;
  }

  /** Bytes that a fragment may read at once, and bytes that it forces to disk at its end. */
  private static long bytes(ExecuteRequestProto request) {
    long block =
        request.hasCells()
            ? request.getCells().getAlpha() * request.getCells().getUnit()
            : request.getLength();
    return block
        + request.getLength() * request.getOpsList().stream().filter(OpProto::hasStore).count();
  }

  /** Runs a call with a time-out. */
  private <T> T within(String what, long millis, Rpc.Call<T> call) throws ServiceException {
    Future<T> answer = CALLS.submit(call::run);
    try {
      return new AwakeTime(millis, System::nanoTime).get(answer);
    } catch (TimeoutException e) {
      throw late("did not answer a " + what + " within " + millis + " ms", e);
    } catch (ExecutionException e) {
      throw failure(e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    } finally {
      answer.cancel(true);
    }
  }

  /**
   * Waits for the end of a part of a run while the worker answers and that part progresses.
   *
   * @param patience maximum milliseconds without progress
   */
  private <T> T watched(String what, String run, long patience, Rpc.Call<T> call)
      throws ServiceException {
    Future<T> answer = CALLS.submit(call::run);
    StallWatch stall = new StallWatch();
    try {
      while (true) {
        try {
          return answer.get(timeouts.look(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
          // Looks are counted, not time: nobody loses patience while this process stands still.
          if (stall.looksWithout(run) * timeouts.look() >= patience) {
            throw late("a %s has not gone on for %d ms".formatted(what, patience), e);
          }
        }
      }
    } catch (ExecutionException e) {
      throw failure(e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    } catch (ServiceException e) {
      // What is given up is not to be stored later.
      var unused = CALLS.submit(() -> cancel(run));
      throw e;
    } finally {
      answer.cancel(true);
    }
  }

  private CancelResponseProto cancel(String run) throws ServiceException {
    return cancel(null, CancelRequestProto.newBuilder().setRun(run).build());
  }

  /** Counts the questions to the worker since a part of a run last progressed. */
  private final class StallWatch {
    private long last = -1;
    private int without;

    /**
     * Asks the worker for progress.
     *
     * @return number of questions in a row without progress
     * @throws ServiceException when the worker does not answer at all
     */
    int looksWithout(String run) throws ServiceException {
      without++;
      try {
        PingResponseProto seen = ping(null, PingRequestProto.newBuilder().setRun(run).build());
        // A stream that is waited for has a time-out of its own. Older workers do not tell.
        if (seen.hasWaitsFor() || !seen.hasProgress() || seen.getProgress() != last) {
          without = 0;
        }
        last = seen.getProgress();
      } catch (ServiceException e) {
        if (e.getCause() instanceof SocketTimeoutException
            || e.getCause() instanceof InterruptedIOException) {
          throw e;
        }
      }
      return without;
    }
  }

  private ServiceException late(String what, TimeoutException cause) {
    SocketTimeoutException late = new SocketTimeoutException("worker " + name + ": " + what);
    late.initCause(cause);
    return new ServiceException(late);
  }

  private static ServiceException failure(ExecutionException e) {
    return e.getCause() instanceof ServiceException failure
        ? failure
        : new ServiceException(String.valueOf(e.getCause()), e);
  }

  private static ServiceException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    InterruptedIOException interrupted =
        new InterruptedIOException("interrupted while waiting for a worker");
    interrupted.initCause(e);
    return new ServiceException(interrupted);
  }

  @Override
  public void close() {
    RPC.stopProxy(stub);
  }
}
