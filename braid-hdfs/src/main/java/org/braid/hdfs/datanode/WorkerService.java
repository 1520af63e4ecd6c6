package org.braid.hdfs.datanode;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.zip.CRC32C;
import org.apache.hadoop.hdfs.protocol.DSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.QuotaExceededException;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.ProtobufRpcEngineCallback2;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.braid.engine.BufferPool;
import org.braid.engine.BusyException;
import org.braid.hdfs.datanode.limits.ForegroundReads;
import org.braid.hdfs.datanode.limits.FragmentPlaces;
import org.braid.hdfs.datanode.limits.KnownPeers;
import org.braid.hdfs.datanode.limits.RunPaces;
import org.braid.hdfs.datanode.scrub.ReplicaScrub;
import org.braid.hdfs.datanode.scrub.RequestedHash;
import org.braid.hdfs.datanode.scrub.ScrubbedReplica;
import org.braid.hdfs.datanode.scrub.SystemErrors;
import org.braid.hdfs.failure.Causes;
import org.braid.hdfs.proto.BraidProtos.BlockProto;
import org.braid.hdfs.proto.BraidProtos.CancelRequestProto;
import org.braid.hdfs.proto.BraidProtos.CancelResponseProto;
import org.braid.hdfs.proto.BraidProtos.ChecksumProto;
import org.braid.hdfs.proto.BraidProtos.ChecksumRequestProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteRequestProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteResponseProto;
import org.braid.hdfs.proto.BraidProtos.PaceRequestProto;
import org.braid.hdfs.proto.BraidProtos.PaceResponseProto;
import org.braid.hdfs.proto.BraidProtos.PinRequestProto;
import org.braid.hdfs.proto.BraidProtos.PinResponseProto;
import org.braid.hdfs.proto.BraidProtos.PingRequestProto;
import org.braid.hdfs.proto.BraidProtos.PingResponseProto;
import org.braid.hdfs.proto.BraidProtos.RunPaceProto;
import org.braid.hdfs.proto.BraidProtos.ScrubRequestProto;
import org.braid.hdfs.proto.BraidProtos.ScrubResponseProto;
import org.braid.hdfs.proto.BraidProtos.SyncRequestProto;
import org.braid.hdfs.proto.BraidProtos.SyncResponseProto;
import org.braid.hdfs.proto.BraidProtos.VerifyRequestProto;
import org.braid.hdfs.proto.BraidProtos.VerifyResponseProto;
import org.braid.hdfs.rpc.BraidWorkerPB;
import org.braid.hdfs.rpc.OneLine;
import org.braid.hdfs.rpc.Release;
import org.braid.hdfs.rpc.Rpc;
import org.braid.hdfs.rpc.RunNames;
import org.braid.hdfs.rpc.StreamException;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.StripeCodec;
import org.braid.kernel.Kernels;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves Braid's calls on this DataNode. Slow calls are answered on separate threads, so that they
 * hold none of the DataNode's handlers.
 */
final class WorkerService implements BraidWorkerPB {
  private static final Logger LOG = LoggerFactory.getLogger(WorkerService.class);
  private static final int VERIFY_BYTES = 1 << 20;

  /** Blocks in memory that an answer names at most. */
  private static final int CACHED_NAMED = 256;

  private final Replicas replicas;
  private final ReplicaCache cache;
  private final AccessCheck access;
  private final ReplicaSync syncs;
  private final WorkerRuns runs;
  private final StreamServer streams;
  private final BufferPool pool;
  private final long memory;
  private final ExecutorService threads;
  private final FragmentPlaces places;
  private final ForegroundReads readers;
  private final ReplicaScrub scrubs;

  WorkerService(
      Replicas replicas,
      ReplicaCache cache,
      KnownPeers peers,
      WorkerRuns runs,
      StreamServer streams,
      BufferPool pool,
      long memory,
      FragmentPlaces places,
      ReplicaScrub scrubs,
      ExecutorService threads)
      throws IOException {
    this.replicas = replicas;
    this.cache = cache;
    this.access = new AccessCheck(replicas, peers);
    this.syncs = new ReplicaSync(replicas);
    this.runs = runs;
    this.streams = streams;
    this.pool = pool;
    this.memory = memory;
    this.threads = threads;
    this.places = places;
    this.scrubs = scrubs;
    this.readers = ForegroundReads.of(replicas.node().getMetrics());
  }

  @Override
  public PingResponseProto ping(RpcController controller, PingRequestProto request)
      throws ServiceException {
    String uuid = replicas.node().getDatanodeUuid();
    if (uuid == null) {
      throw new ServiceException(
          plain(new IOException(replicas.name() + " has not registered with a NameNode yet")));
    }
    PingResponseProto.Builder answer = PingResponseProto.newBuilder();
    if (request.hasRun()) {
      runs.waitsFor(request.getRun()).ifPresent(answer::setWaitsFor);
      answer.setProgress(runs.paces().progress(request.getRun()));
    }
    if (request.getWithCache() && access.isSuperuser(caller())) {
      answer.addAllCached(cache.whole(CACHED_NAMED));
    }
    return answer
        .setUuid(uuid)
        .setStreamPort(streams.port())
        .setKernel(Kernels.active().name())
        .setVersion(Release.version())
        .setRunning(runs.count())
        .setMemoryLimit(memory)
        .setMemoryUsed(pool.leasedBytes())
        // A gauge of HDFS that threads count up and down: below zero for a moment at a shutdown.
        .setTransfers(Math.max(0, replicas.node().getXceiverCount()))
        .build();
  }

  @Override
  public @Nullable ExecuteResponseProto execute(
      RpcController controller, ExecuteRequestProto request) throws ServiceException {
    UserGroupInformation caller = caller();
    checkName("execute", caller, request.getRun());
    FragmentPlaces.Place place = place(caller);
    boolean begun =
        answerLater(
            "execute",
            caller,
            () -> {
              try (place) {
                access.execute(caller, request);
                return runs.run(request, caller.getShortUserName());
              }
            });
    if (!begun) {
      place.close();
    }
    return null;
  }

  /** What anybody calls a run is kept for a while, and told to others. */
  private static void checkName(String call, UserGroupInformation caller, String run)
      throws ServiceException {
    try {
      RunNames.check(run);
    } catch (IOException e) {
      logRefusal(call, caller, Server.getRemoteAddress(), e);
      throw new ServiceException(plain(e));
    }
  }

  private FragmentPlaces.Place place(UserGroupInformation caller) throws ServiceException {
    try {
      return access.isSuperuser(caller)
          ? places.forSuperuser()
          : places.forUser(caller.getShortUserName());
    } catch (IOException e) {
      logRefusal("execute", caller, Server.getRemoteAddress(), e);
      throw new ServiceException(
          plain(new RetriableException(replicas.name() + ": " + e.getMessage())));
    }
  }

  /** Says who was refused what, in one line whatever the message. */
  private static void logRefusal(
      String call, UserGroupInformation caller, @Nullable String address, IOException why) {
    LOG.info(
        "refused {} to {} at {}: {}",
        call,
        caller.getShortUserName(),
        address,
        OneLine.of(OneLine.brief(String.valueOf(why.getMessage()))));
  }

  @Override
  public @Nullable VerifyResponseProto verify(RpcController controller, VerifyRequestProto request)
      throws ServiceException {
    UserGroupInformation caller = caller();
    answerLater(
        "verify",
        caller,
        () -> {
          access.verify(caller);
          if (request.hasBytesPerSecond()) {
            access.pace(caller);
          }
          ExtendedBlock block = replicas.block(StripeCodec.of(request.getBlock()));
          ReplicaFile.Source source = ReplicaFile.Source.CACHE;
          if (request.getForced()) {
            access.sync(caller);
            syncs.sync(block);
            source = syncs.enabled() ? ReplicaFile.Source.DISK : ReplicaFile.Source.CACHE;
          }
          OptionalDouble rate =
              request.hasBytesPerSecond()
                  ? OptionalDouble.of((double) request.getBytesPerSecond())
                  : OptionalDouble.empty();
          try (RunPaces.Held pace = runs.paces().begin(request.getRun(), rate)) {
            return verified(block, source, pace, request);
          }
        });
    return null;
  }

  @Override
  public @Nullable ScrubResponseProto scrub(RpcController controller, ScrubRequestProto request)
      throws ServiceException {
    UserGroupInformation caller = caller();
    answerLater(
        "scrub",
        caller,
        () -> {
          access.scrub(caller);
          return scrubbed(request);
        });
    return null;
  }

  private ScrubResponseProto scrubbed(ScrubRequestProto request) throws IOException {
    ScrubbedReplica replica = replicas.scrubbed(replicas.block(StripeCodec.of(request.getBlock())));
    try (BufferPool.Lease lease = pool.leaseUpTo(VERIFY_BYTES)) {
      ByteBuffer buffer = lease.buffers().get(0);
      if (!request.getReport()) {
        ScrubResponseProto found =
            scrubs.look(
                replica,
                request.getCrc32C(),
                request.getRate(),
                buffer,
                RequestedHash.of(request, Kernels.active()));
        runs.metrics().scrubbed(found.getFinding(), request.getBlock().getLength());
        return found;
      }
      ScrubResponseProto found =
          scrubs.confirm(replica, request.getCrc32C(), request.getRate(), buffer);
      runs.metrics().found(found.getFinding());
      return found;
    } catch (BusyException e) {
      throw new RetriableException(replicas.name() + " is busy: " + e.getMessage());
    }
  }

  @Override
  public @Nullable ChecksumProto checksum(RpcController controller, ChecksumRequestProto request)
      throws ServiceException {
    UserGroupInformation caller = caller();
    answerLater(
        "checksum",
        caller,
        () -> {
          access.verify(caller);
          ExtendedBlock block = replicas.block(StripeCodec.of(request.getBlock()));
          try (LocalReplicaReader reader = LocalReplicaReader.open(replicas, block, 0)) {
            return StripeCodec.toProto(reader.checksum());
          }
        });
    return null;
  }

  @Override
  public @Nullable SyncResponseProto sync(RpcController controller, SyncRequestProto request)
      throws ServiceException {
    UserGroupInformation caller = caller();
    answerLater(
        "sync",
        caller,
        () -> {
          access.sync(caller);
          SyncResponseProto.Builder answer = SyncResponseProto.newBuilder();
          for (BlockProto block : request.getBlocksList()) {
            try {
              syncs.sync(replicas.block(StripeCodec.of(block)));
            } catch (IOException e) {
              LOG.warn("blk_{} is not forced to disk: {}", block.getId(), e.getMessage());
              if (!answer.hasReason()) {
                answer.setReason(String.valueOf(e.getMessage()));
              }
              answer.addFailed(block.getId());
            }
          }
          return answer.build();
        });
    return null;
  }

  @Override
  public @Nullable PinResponseProto pin(RpcController controller, PinRequestProto request)
      throws ServiceException {
    UserGroupInformation caller = caller();
    answerLater(
        "pin",
        caller,
        () -> {
          access.pin(caller);
          ReplicaPins pins = new ReplicaPins(replicas);
          if (pins.enabled()) {
            List<BlockIdentity> blocks =
                request.getBlocksList().stream().map(StripeCodec::of).toList();
            if (request.getPinned()) {
              pins.pin(blocks);
            } else {
              pins.unpin(blocks);
            }
          }
          return PinResponseProto.newBuilder().setEnabled(pins.enabled()).build();
        });
    return null;
  }

  @Override
  public CancelResponseProto cancel(RpcController controller, CancelRequestProto request)
      throws ServiceException {
    UserGroupInformation caller = caller();
    checkName("cancel", caller, request.getRun());
    runs.cancel(request.getRun(), caller.getShortUserName());
    runs.paces().cancel(request.getRun());
    return CancelResponseProto.getDefaultInstance();
  }

  @Override
  public PaceResponseProto pace(RpcController controller, PaceRequestProto request)
      throws ServiceException {
    UserGroupInformation caller = caller();
    try {
      access.pace(caller);
    } catch (IOException e) {
      logRefusal("pace", caller, Server.getRemoteAddress(), e);
      throw new ServiceException(plain(e));
    }
    for (RunPaceProto run : request.getRunsList()) {
      runs.paces()
          .change(
              run.getRun(),
              run.hasBytesPerSecond()
                  ? OptionalDouble.of((double) run.getBytesPerSecond())
                  : OptionalDouble.empty());
    }
    PaceResponseProto.Builder answer = PaceResponseProto.newBuilder();
    readers
        .counted()
        .ifPresent(counted -> answer.setPackets(counted.packets()).setPacketNanos(counted.nanos()));
    return answer.build();
  }

  private static UserGroupInformation caller() throws ServiceException {
    try {
      return Server.getRemoteUser() != null
          ? Server.getRemoteUser()
          : UserGroupInformation.getCurrentUser();
    } catch (IOException e) {
      throw new ServiceException(plain(e));
    }
  }

  private VerifyResponseProto verified(
      ExtendedBlock block,
      ReplicaFile.Source source,
      RunPaces.Held pace,
      VerifyRequestProto request)
      throws IOException {
    CRC32C crc = new CRC32C();
    try (BufferPool.Lease lease = pool.leaseUpTo(pace.piece(VERIFY_BYTES));
        LocalReplicaReader reader = LocalReplicaReader.open(replicas, block, 0, source)) {
      ByteBuffer buffer = lease.buffers().get(0);
      int piece = buffer.capacity();
      for (long at = 0; at < block.getNumBytes(); at += piece) {
        buffer.clear().limit((int) Math.min(piece, block.getNumBytes() - at));
        pace.await(buffer.remaining());
        reader.read(at, buffer);
        crc.update(buffer.flip());
      }
      runs.metrics().verified(block.getNumBytes(), request);
      return VerifyResponseProto.newBuilder()
          .setCrc32C((int) crc.getValue())
          .setChecksum(StripeCodec.toProto(reader.checksum()))
          .build();
    } catch (BusyException e) {
      throw new RetriableException(replicas.name() + " is busy: " + e.getMessage());
    }
  }

  private boolean answerLater(String call, UserGroupInformation caller, Callable<Message> work)
      throws ServiceException {
    // The call is the handler's, not that of the thread that does the work.
    String address = Server.getRemoteAddress();
    ProtobufRpcEngineCallback2 callback = ProtobufRpcEngine2.Server.registerForDeferredResponse2();
    try {
      threads.execute(
          () -> {
            Message answer;
            try {
              answer = work.call();
            } catch (IOException e) {
              logRefusal(call, caller, address, e);
              callback.error(told(e));
              return;
            } catch (Exception | Error e) {
              // Whatever happened, the caller must not wait for ever.
              LOG.error("a call failed", e);
              callback.error(told(e));
              return;
            }
            callback.setResponse(answer);
          });
      return true;
    } catch (RejectedExecutionException e) {
      callback.error(
          plain(new Rpc.NotServingException("DataNode " + replicas.name() + " is stopping")));
    } catch (Error e) {
      LOG.error("a call was not begun", e); // there is no thread for it
      callback.error(told(e));
    }
    return false;
  }

  private static boolean exceedsQuota(Throwable failure) {
    for (Throwable cause : Causes.of(failure)) {
      Throwable own = cause instanceof RemoteException told ? told.unwrapRemoteException() : cause;
      if (own instanceof QuotaExceededException) {
        return true;
      }
    }
    return false;
  }

  /**
   * The exception for the caller. An unexpected failure must not look like a finding on a replica.
   */
  static IOException told(Throwable failure) {
    return failure instanceof IOException known
        ? plain(known)
        : plain(new Rpc.NotServingException(failure.toString()));
  }

  /** The same failure as callers should see it: HDFS would send them the whole stack trace. */
  private static IOException plain(IOException e) {
    String message = OneLine.brief(String.valueOf(e.getMessage()));
    IOException plain = new IOException(message);
    if (e instanceof RetriableException) {
      plain = new RetriableException(message);
    } else if (e instanceof Rpc.NotServingException) {
      plain = new Rpc.NotServingException(message);
    } else if (e instanceof AccessControlException) {
      plain = new AccessControlException(message);
    } else if (exceedsQuota(e)) {
      plain = new DSQuotaExceededException(message);
    } else if (StreamException.isBehind(e)) {
      plain = new StreamException(message);
    } else if (SystemErrors.HERE.isOfTheNode(e)) {
      plain = new Rpc.NotServingException(OneLine.brief(e.toString()));
    }
    plain.setStackTrace(new StackTraceElement[0]);
    return plain;
  }
}
