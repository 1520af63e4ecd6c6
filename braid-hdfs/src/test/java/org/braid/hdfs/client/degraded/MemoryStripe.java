package org.braid.hdfs.client.degraded;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.code.SubBlock;
import org.braid.engine.BufferPool;
import org.braid.engine.FragmentRunner;
import org.braid.engine.Ports;
import org.braid.engine.SliceSink;
import org.braid.engine.SliceSource;
import org.braid.hdfs.dispatch.Worker;
import org.braid.hdfs.dispatch.Workers;
import org.braid.hdfs.proto.BraidProtos.BytesProto;
import org.braid.hdfs.proto.BraidProtos.CancelRequestProto;
import org.braid.hdfs.proto.BraidProtos.CancelResponseProto;
import org.braid.hdfs.proto.BraidProtos.ChecksumProto;
import org.braid.hdfs.proto.BraidProtos.ChecksumRequestProto;
import org.braid.hdfs.proto.BraidProtos.CrcProto;
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
import org.braid.hdfs.rpc.BraidWorkerPB;
import org.braid.hdfs.rpc.FragmentCodec;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.Datanode;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.MemberStatus;
import org.braid.hdfs.stripe.Replica;
import org.braid.hdfs.stripe.Stripe;
import org.braid.hdfs.stripe.StripePromise;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.kernel.Kernels;

/**
 * A stripe whose blocks are in memory, each on a node of its own, and workers that run fragments on
 * them: all that a degraded read asks for, without a cluster.
 */
final class MemoryStripe implements StripeLookup, Closeable {
  static final int BLOCK = 10_000;

  private final ErasureCode code;
  private final List<byte[]> blocks = new ArrayList<>();
  private final StripeStatus status;
  private final Map<String, Datanode> nodes = new ConcurrentHashMap<>();
  private final Map<String, LinkedBlockingQueue<Frame>> streams = new ConcurrentHashMap<>();

  /** The nodes that readers named when they asked for the cluster. */
  final Set<String> named = ConcurrentHashMap.newKeySet();

  private final Set<String> stopped = ConcurrentHashMap.newKeySet();

  private final BufferPool pool = new BufferPool(1 << 20);

  /** The workers that hold the blocks. */
  final Workers workers = new Workers(node -> new MemoryWorker(index(node)), 1000);

  /** A slice, or the CRC-32C of all slices where a stream ends. */
  private record Frame(byte[] slice, Optional<Integer> end) {}

  /** A stripe of random blocks. */
  MemoryStripe(String codeName, Random random) {
    code = Codes.named(codeName);
    ByteBuffer[] data = new ByteBuffer[code.k()];
    for (int i = 0; i < code.k(); i++) {
      byte[] content = new byte[BLOCK];
      random.nextBytes(content);
      blocks.add(content);
      data[i] = ByteBuffer.wrap(content);
    }
    ByteBuffer[] parity = new ByteBuffer[code.m()];
    Arrays.setAll(parity, i -> ByteBuffer.allocate(BLOCK));
    if (code.alpha() == 1) { // else nothing can be rebuilt
      int[] rows = IntStream.range(code.k(), code.n()).toArray();
      Kernels.scalar().transform(code.generator().select(rows)).apply(data, parity, BLOCK);
    }
    Arrays.stream(parity).map(ByteBuffer::array).forEach(blocks::add);
    status = describe();
  }

  private StripeStatus describe() {
    List<Member> members = new ArrayList<>();
    List<MemberStatus> statuses = new ArrayList<>();
    for (int i = 0; i < code.n(); i++) {
      String uuid = "node-" + i;
      nodes.put(uuid, node(uuid, "/rack" + i % 3, i, true));
      BlockIdentity block = new BlockIdentity(100 + i, 1, BLOCK);
      members.add(Member.data(block, crc(blocks.get(i)), uuid, 1));
      Replica replica = new Replica(uuid, false, false, true);
      statuses.add(
          new MemberStatus(
              new BlockStatus(block, List.of(replica), 1, true, List.of()),
              "/file",
              1,
              false,
              false,
              1,
              false,
              false,
              ByteString.EMPTY));
    }
    StripePromise promise = new StripePromise(code.n(), List.of(), Optional.empty());
    Stripe stripe = Stripe.encoded(code.alpha() == 1 ? "0f" : "1f", code, members, promise, 500);
    return new StripeStatus(stripe, "/parity", 1, statuses);
  }

  private static Datanode node(String uuid, String rack, int address, boolean live) {
    return Datanode.builder(uuid)
        .host(uuid)
        .ip("127.0.0." + address)
        .ipcPort(1)
        .transferPort(2)
        .rack(rack)
        .remaining(1)
        .live(live)
        .build();
  }

  /** Adds a node without a block. */
  void add(String uuid, String rack) {
    nodes.put(uuid, node(uuid, rack, nodes.size(), true));
  }

  /** A node without a block stops: readers hear of it when they name it. */
  void stopUnseen(String uuid) {
    stopped.add(uuid);
  }

  private static int crc(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }

  private static int index(Datanode node) {
    return Integer.parseInt(node.uuid().substring("node-".length()));
  }

  byte[] block(int member) {
    return blocks.get(member);
  }

  /** A data block as HDFS tells a reader of it when no DataNode has it. */
  LocatedBlock lost(int member) {
    return new LocatedBlock(new ExtendedBlock("pool", 100 + member, BLOCK, 1), new DatanodeInfo[0]);
  }

  @Override
  public List<StripeStatus> stripes(String path, String blockPool, List<Long> blockIds) {
    return List.of(status);
  }

  @Override
  public Cluster cluster(String blockPool, Collection<String> uuids) {
    named.addAll(uuids);
    for (String uuid : uuids) {
      if (stopped.contains(uuid)) {
        Datanode node = nodes.get(uuid);
        nodes.put(uuid, node(uuid, node.rack(), 0, false));
      }
    }
    return new Cluster(nodes, Optional.empty());
  }

  /** The receiving end of a worker's stream. */
  SliceSource receive(Worker worker, String run, int stream) {
    return receive(run, stream);
  }

  private LinkedBlockingQueue<Frame> stream(String run, int stream) {
    return streams.computeIfAbsent(run + "/" + stream, key -> new LinkedBlockingQueue<>());
  }

  private SliceSource receive(String run, int stream) {
    LinkedBlockingQueue<Frame> frames = stream(run, stream);
    return new SliceSource() {
      @Override
      public void read(long offset, ByteBuffer into) throws IOException {
        into.put(take(frames).slice());
      }

      @Override
      public void finish(int crc32c) throws IOException {
        int sent = take(frames).end().orElseThrow();
        if (sent != crc32c) {
          throw new IOException(
              String.format("stream %d: %08x was sent, %08x was used", stream, sent, crc32c));
        }
      }

      @Override
      public void close() {}
    };
  }

  private static Frame take(LinkedBlockingQueue<Frame> frames) throws IOException {
    try {
      return frames.take();
    } catch (InterruptedException e) {
      throw (IOException) new InterruptedIOException("interrupted").initCause(e);
    }
  }

  @Override
  public void close() {
    workers.close();
  }

  /** The worker of one node. */
  private final class MemoryWorker implements BraidWorkerPB, Closeable {
    private final int member;

    MemoryWorker(int member) {
      this.member = member;
    }

    @Override
    public PingResponseProto ping(RpcController controller, PingRequestProto request) {
      return PingResponseProto.newBuilder()
          .setUuid("node-" + member)
          .setStreamPort(3)
          .setKernel("scalar")
          .setRunning(0)
          .setMemoryLimit(1)
          .setMemoryUsed(0)
          .build();
    }

    @Override
    public PaceResponseProto pace(RpcController controller, PaceRequestProto request) {
      return PaceResponseProto.getDefaultInstance();
    }

    @Override
    public ScrubResponseProto scrub(RpcController controller, ScrubRequestProto request) {
      throw new UnsupportedOperationException();
    }

    @Override
    public ExecuteResponseProto execute(RpcController controller, ExecuteRequestProto request)
        throws ServiceException {
      try {
        var outcome =
            new FragmentRunner(Kernels.scalar(), request.getSlice(), pool)
                .run(FragmentCodec.toFragment(request), request.getLength(), ports(request));
        ExecuteResponseProto.Builder response = ExecuteResponseProto.newBuilder().setCpuNanos(0);
        outcome
            .readCrcs()
            .forEach(
                (source, crc) ->
                    response.addReads(
                        CrcProto.newBuilder()
                            .setSubBlock(FragmentCodec.subBlock(source))
                            .setCrc32C(crc)));
        outcome
            .sentBytes()
            .forEach(
                (to, bytes) ->
                    response.addSent(BytesProto.newBuilder().setNode(to).setBytes(bytes)));
        return response.build();
      } catch (IOException e) {
        throw new ServiceException(
            new RemoteException(IOException.class.getName(), String.valueOf(e.getMessage())));
      }
    }

    private Ports ports(ExecuteRequestProto request) {
      return new Ports() {
        @Override
        public SliceSource read(SubBlock source) {
          long base =
              request.getOpsList().stream()
                  .filter(OpProto::hasRead)
                  .map(OpProto::getRead)
                  .filter(read -> FragmentCodec.subBlock(read.getSource()).equals(source))
                  .findFirst()
                  .orElseThrow()
                  .getOffset();
          return new SliceSource() {
            @Override
            public void read(long offset, ByteBuffer into) {
              into.put(block(member), (int) (base + offset), into.remaining());
            }

            @Override
            public void finish(int crc32c) {}

            @Override
            public void close() {}
          };
        }

        @Override
        public SliceSource receive(int stream, int from) {
          return MemoryStripe.this.receive(request.getRun(), stream);
        }

        @Override
        public SliceSink send(int stream, int to) {
          LinkedBlockingQueue<Frame> frames = stream(request.getRun(), stream);
          return new SliceSink() {
            @Override
            public void write(ByteBuffer slice) {
              byte[] copy = new byte[slice.remaining()];
              slice.get(copy);
              frames.add(new Frame(copy, Optional.empty()));
            }

            @Override
            public void finish(int crc32c) {
              frames.add(new Frame(new byte[0], Optional.of(crc32c)));
            }

            @Override
            public void close() {}
          };
        }

        @Override
        public SliceSink store(SubBlock target) {
          throw new IllegalStateException("helpers of a degraded read store nothing: " + target);
        }
      };
    }

    @Override
    public VerifyResponseProto verify(RpcController controller, VerifyRequestProto request) {
      return VerifyResponseProto.newBuilder().setCrc32C(crc(block(member))).build();
    }

    @Override
    public ChecksumProto checksum(RpcController controller, ChecksumRequestProto request) {
      return ChecksumProto.newBuilder().setChunk(512).build();
    }

    @Override
    public SyncResponseProto sync(RpcController controller, SyncRequestProto request) {
      return SyncResponseProto.getDefaultInstance();
    }

    @Override
    public PinResponseProto pin(RpcController controller, PinRequestProto request) {
      return PinResponseProto.newBuilder().setEnabled(false).build();
    }

    @Override
    public CancelResponseProto cancel(RpcController controller, CancelRequestProto request) {
      return CancelResponseProto.getDefaultInstance();
    }

    @Override
    public void close() {}
  }
}
