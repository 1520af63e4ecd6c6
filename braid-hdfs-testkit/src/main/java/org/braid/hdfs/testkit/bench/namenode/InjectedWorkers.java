package org.braid.hdfs.testkit.bench.namenode;

import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.braid.hdfs.proto.BraidProtos.BraidWorkerService;
import org.braid.hdfs.proto.BraidProtos.PingResponseProto;
import org.braid.hdfs.rpc.BraidWorkerPB;
import org.braid.hdfs.rpc.Release;

/** Workers of DataNodes without data, which only answer that they exist. */
final class InjectedWorkers implements Closeable {
  private static final int STREAMS = 9;

  private final List<RPC.Server> servers = new ArrayList<>();
  private final Configuration conf = new HdfsConfiguration();

  InjectedWorkers() {
    RPC.setProtocolEngine(conf, BraidWorkerPB.class, ProtobufRpcEngine2.class);
  }

  /** Starts the worker of a DataNode; returns the port of its calls. */
  int start(String uuid) throws IOException {
    RPC.Server server =
        new RPC.Builder(conf)
            .setProtocol(BraidWorkerPB.class)
            .setInstance(BraidWorkerService.newReflectiveBlockingService(worker(uuid)))
            .setBindAddress("127.0.0.1")
            .setPort(0)
            .setNumHandlers(1)
            .build();
    server.start();
    servers.add(server);
    return server.getListenerAddress().getPort();
  }

  private static BraidWorkerService.BlockingInterface worker(String uuid) {
    PingResponseProto here =
        PingResponseProto.newBuilder()
            .setUuid(uuid)
            .setStreamPort(STREAMS) // nobody listens there
            .setKernel("none")
            .setVersion(Release.version())
            .setRunning(0)
            .setMemoryLimit(1L << 30)
            .setMemoryUsed(0)
            .build();
    return (BraidWorkerService.BlockingInterface)
        Proxy.newProxyInstance(
            InjectedWorkers.class.getClassLoader(),
            new Class<?>[] {BraidWorkerService.BlockingInterface.class},
            (proxy, method, arguments) -> {
              if (!method.getName().equals("ping")) {
                throw new ServiceException("this DataNode has no data");
              }
              return here;
            });
  }

  @Override
  public void close() {
    servers.forEach(RPC.Server::stop);
  }
}
