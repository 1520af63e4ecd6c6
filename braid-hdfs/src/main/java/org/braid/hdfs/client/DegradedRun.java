package org.braid.hdfs.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.braid.code.SubBlock;
import org.braid.engine.CellLayout;
import org.braid.engine.CellLayout.Part;
import org.braid.engine.FragmentRunner;
import org.braid.engine.Outcome;
import org.braid.engine.Ports;
import org.braid.engine.SliceSink;
import org.braid.engine.SliceSource;
import org.braid.hdfs.client.Workers.Worker;
import org.braid.hdfs.proto.BraidProtos.CancelRequestProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteRequestProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteResponseProto;
import org.braid.hdfs.proto.BraidProtos.PeerProto;
import org.braid.hdfs.rpc.BlockTokens;
import org.braid.hdfs.rpc.FragmentCodec;
import org.braid.hdfs.rpc.ReadSource;
import org.braid.hdfs.rpc.Rpc;
import org.braid.plan.Fragment;
import org.braid.plan.Plan;
import org.jspecify.annotations.Nullable;

/**
 * One try of a degraded read: the helpers' fragments run on their workers, the root's fragment runs
 * here, its result goes to the reader's buffer. The first failure ends the whole run at once.
 */
final class DegradedRun implements Ports {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final long SETTLE_MILLIS = 3000;

  private final Plan plan;
  private final Stripe stripe;
  private final Map<Integer, Worker> workerOf;
  private final Part part;
  private final CellLayout layout;
  private final ByteBuffer into;
  private final Workers workers;
  private final Streams streams;
  private final String run;
  private final Map<Integer, CompletableFuture<ExecuteResponseProto>> answers =
      new LinkedHashMap<>();

  private final List<SliceSource> sources = new ArrayList<>();
  private final Map<Integer, String> culprits = new LinkedHashMap<>();
  private final Set<Integer> busy = new HashSet<>();
  private @Nullable IOException first;

  /** Opens the receiving end of a worker's stream. */
  interface Streams {
    SliceSource open(
        Worker worker, String run, int stream, long length, Token<BlockTokenIdentifier> token)
        throws IOException;
  }

  /**
   * A try.
   *
   * @param plan nodes are positions in the stripe; the client is n
   * @param workerOf the worker of each helper
   * @param layout of the stripe's blocks
   * @param part the sub-blocks and their range that are wanted
   * @param into takes the part as it lies in its block, as many bytes as remain in it
   */
  DegradedRun(
      Plan plan,
      Stripe stripe,
      Map<Integer, Worker> workerOf,
      CellLayout layout,
      Part part,
      ByteBuffer into,
      Workers workers,
      Streams streams) {
    this.plan = plan;
    this.stripe = stripe;
    this.workerOf = workerOf;
    this.part = part;
    this.layout = layout;
    this.into = into;
    this.workers = workers;
    this.streams = streams;
    byte[] name = new byte[16];
    RANDOM.nextBytes(name);
    this.run = HexFormat.of().formatHex(name);
  }

  /** Runs the plan to its end. */
  Outcome run(FragmentRunner runner, int slice) throws HelperException {
    int client = stripe.code().n();
    long length = part.length();
    for (Fragment fragment : plan.fragments()) {
      if (fragment.node() != client) {
        dispatch(fragment, length, slice);
      }
    }
    try {
      return runner.run(plan.fragment(client), length, this);
    } catch (IOException e) {
      throw failure(e);
    }
  }

  private void dispatch(Fragment fragment, long length, int slice) {
    Worker worker = worker(fragment.node());
    ExecuteRequestProto request =
        FragmentCodec.layOut(
                FragmentCodec.requestFor(
                    fragment,
                    run,
                    length,
                    slice,
                    this::source,
                    target -> {
                      throw new IllegalStateException("a helper of a degraded read stores it");
                    },
                    this::peer),
                layout)
            .build();
    CompletableFuture<ExecuteResponseProto> answer =
        workers.start(
            () -> {
              try {
                return worker.stub().execute(null, request);
              } catch (ServiceException e) {
                throw workerFailed(fragment.node(), e);
              }
            });
    answers.put(fragment.node(), answer);
  }

  private ReadSource source(SubBlock subBlock) {
    int block = subBlock.block();
    return new ReadSource(stripe.block(block), part.offset(), stripe.token(block));
  }

  private PeerProto peer(int node) {
    Worker worker = worker(node);
    return PeerProto.newBuilder()
        .setNode(node)
        .setHost(worker.node().getIp())
        .setPort(worker.streamPort())
        .setUuid(worker.node().getUuid())
        .build();
  }

  private Worker worker(int node) {
    Worker worker = workerOf.get(node);
    if (worker == null) {
      throw new IllegalStateException("no worker holds block " + node + " of the stripe");
    }
    return worker;
  }

  /** Notes a worker's failure and who is to blame; those after the first are its consequences. */
  private synchronized IOException workerFailed(int node, ServiceException e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    String message = Rpc.reason(cause);
    IOException failure =
        new IOException("worker " + worker(node).node().getHost() + ": " + message, cause);
    if (!(cause instanceof RemoteException remote)) {
      culprits.put(node, "connection failed: " + message);
    } else if (first == null && remote.getClassName().equals(RetriableException.class.getName())) {
      busy.add(node);
    } else if (first == null && blamesSender()) {
      culprits.put(node, message);
    }
    end(failure);
    return failure;
  }

  /** Whether whoever's stream or fragment fails first is at fault: nobody depends on others. */
  private boolean blamesSender() {
    return plan.shape().equals("star");
  }

  private synchronized void end(IOException failure) {
    if (first == null) {
      first = failure;
      for (SliceSource source : sources) {
        try {
          source.close();
        } catch (IOException e) {
          failure.addSuppressed(e);
        }
      }
    }
  }

  /** Stops what still runs, waits a moment for the workers' own reasons. */
  private HelperException failure(IOException local) {
    end(local);
    CancelRequestProto cancel = CancelRequestProto.newBuilder().setRun(run).build();
    answers.forEach(
        (node, answer) -> {
          if (!answer.isDone()) {
            var unused =
                workers.start(
                    () -> {
                      try {
                        return worker(node).stub().cancel(null, cancel);
                      } catch (ServiceException e) {
                        throw workerFailed(node, e);
                      }
                    });
          }
        });
    settle();
    synchronized (this) {
      // Whoever may have died is asked again before it is chosen again.
      answers.keySet().forEach(node -> workers.doubt(worker(node).node().getUuid()));
      IOException cause = first == null ? local : first;
      return new HelperException(culprits, busy, cause);
    }
  }

  private void settle() {
    CompletableFuture<?>[] all = answers.values().toArray(new CompletableFuture<?>[0]);
    try {
      CompletableFuture.allOf(all).get(SETTLE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      // The reasons were noted where they came up; who is late says nothing.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** CRC-32C of what each helper read, for helpers that answered. */
  Map<SubBlock, Integer> readCrcs() {
    settle();
    Map<SubBlock, Integer> crcs = new HashMap<>();
    for (CompletableFuture<ExecuteResponseProto> answer : answers.values()) {
      if (answer.isDone() && !answer.isCompletedExceptionally()) {
        crcs.putAll(FragmentCodec.crcs(answer.join().getReadsList()));
      }
    }
    return crcs;
  }

  @Override
  public SliceSource read(SubBlock source) {
    throw new IllegalStateException("the client stores no block, it cannot read " + source);
  }

  @Override
  public SliceSink send(int stream, int to) {
    throw new IllegalStateException("the client is the root, it cannot send to " + to);
  }

  @Override
  public SliceSource receive(int stream, int from) throws IOException {
    SliceSource source;
    try {
      // Any block token of the cluster opens a connection; what matters is the run's secret name.
      Token<BlockTokenIdentifier> token = BlockTokens.decode(stripe.token(from));
      source = streams.open(worker(from), run, stream, part.length(), token);
    } catch (IOException e) {
      throw streamFailed(from, e);
    }
    synchronized (this) {
      sources.add(source);
      if (first != null) {
        source.close();
        throw new IOException("the run has failed: " + first.getMessage(), first);
      }
    }
    return new SliceSource() {
      @Override
      public void read(long at, ByteBuffer slice) throws IOException {
        try {
          source.read(at, slice);
        } catch (IOException e) {
          throw streamFailed(from, e);
        }
      }

      @Override
      public void close() throws IOException {
        source.close();
      }
    };
  }

  private synchronized IOException streamFailed(int from, IOException e) {
    if (first == null && blamesSender()) {
      culprits.put(from, Rpc.reason(e));
    }
    end(e);
    return e;
  }

  @Override
  public SliceSink store(SubBlock target) {
    return new SliceSink() {
      private long written = part.offset();

      @Override
      public void write(ByteBuffer slice) {
        while (slice.hasRemaining()) {
          int count = (int) Math.min(slice.remaining(), layout.run(written));
          long start = layout.inBlock(target.index(), written) - part.start();
          into.put(Math.toIntExact(into.position() + start), slice, slice.position(), count);
          slice.position(slice.position() + count);
          written += count;
        }
      }

      @Override
      public void finish(int crc32c) {}

      @Override
      public void close() {}
    };
  }
}
