package org.braid.hdfs.rpc;

import java.io.Closeable;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
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
import org.braid.hdfs.proto.BraidProtos.ScrubRequestProto;
import org.braid.hdfs.proto.BraidProtos.ScrubResponseProto;
import org.braid.hdfs.proto.BraidProtos.SyncRequestProto;
import org.braid.hdfs.proto.BraidProtos.SyncResponseProto;
import org.braid.hdfs.proto.BraidProtos.VerifyRequestProto;
import org.braid.hdfs.proto.BraidProtos.VerifyResponseProto;

/** Calls of a worker that say which of a DataNode's block pools they are about. */
final class PoolStub implements BraidWorkerPB, Closeable {
  private final BraidWorkerPB stub;
  private final String blockPool;

  PoolStub(BraidWorkerPB stub, String blockPool) {
    this.stub = stub;
    this.blockPool = blockPool;
  }

  @Override
  public PingResponseProto ping(RpcController controller, PingRequestProto request)
      throws ServiceException {
    return stub.ping(controller, request.toBuilder().setBlockPool(blockPool).build());
  }

  @Override
  public ExecuteResponseProto execute(RpcController controller, ExecuteRequestProto request)
      throws ServiceException {
    return stub.execute(controller, request.toBuilder().setBlockPool(blockPool).build());
  }

  @Override
  public VerifyResponseProto verify(RpcController controller, VerifyRequestProto request)
      throws ServiceException {
    return stub.verify(controller, request.toBuilder().setBlockPool(blockPool).build());
  }

  @Override
  public ScrubResponseProto scrub(RpcController controller, ScrubRequestProto request)
      throws ServiceException {
    return stub.scrub(controller, request.toBuilder().setBlockPool(blockPool).build());
  }

  @Override
  public ChecksumProto checksum(RpcController controller, ChecksumRequestProto request)
      throws ServiceException {
    return stub.checksum(controller, request.toBuilder().setBlockPool(blockPool).build());
  }

  @Override
  public SyncResponseProto sync(RpcController controller, SyncRequestProto request)
      throws ServiceException {
    return stub.sync(controller, request.toBuilder().setBlockPool(blockPool).build());
  }

  @Override
  public PinResponseProto pin(RpcController controller, PinRequestProto request)
      throws ServiceException {
    return stub.pin(controller, request.toBuilder().setBlockPool(blockPool).build());
  }

  @Override
  public CancelResponseProto cancel(RpcController controller, CancelRequestProto request)
      throws ServiceException {
    return stub.cancel(controller, request.toBuilder().setBlockPool(blockPool).build());
  }

  @Override
  public PaceResponseProto pace(RpcController controller, PaceRequestProto request)
      throws ServiceException {
    return stub.pace(controller, request.toBuilder().setBlockPool(blockPool).build());
  }

  @Override
  public void close() {
    RPC.stopProxy(stub);
  }
}
