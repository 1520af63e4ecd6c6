package org.braid.hdfs.rpc;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.braid.code.Matrix;
import org.braid.code.SubBlock;
import org.braid.engine.block.CellLayout;
import org.braid.hdfs.proto.BraidProtos.BlockCrcProto;
import org.braid.hdfs.proto.BraidProtos.CellsProto;
import org.braid.hdfs.proto.BraidProtos.CombineOpProto;
import org.braid.hdfs.proto.BraidProtos.CrcProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteRequestProto;
import org.braid.hdfs.proto.BraidProtos.OpProto;
import org.braid.hdfs.proto.BraidProtos.PeerProto;
import org.braid.hdfs.proto.BraidProtos.ReadOpProto;
import org.braid.hdfs.proto.BraidProtos.ReceiveOpProto;
import org.braid.hdfs.proto.BraidProtos.SendOpProto;
import org.braid.hdfs.proto.BraidProtos.StoreOpProto;
import org.braid.hdfs.proto.BraidProtos.SubBlockProto;
import org.braid.hdfs.stripe.StripeCodec;
import org.braid.plan.Fragment;
import org.braid.plan.Operation;

/** Converts fragments of plans into requests to workers, and back. */
public final class FragmentCodec {
  /** The largest slice that a worker accepts, in bytes. */
  public static final int MAX_SLICE = 16 << 20;

  private FragmentCodec() {}

  /**
   * Creates the request for a fragment.
   *
   * @param run the run's secret name, the same for all fragments of a plan
   * @param length bytes of each value
   * @param slice bytes of a slice
   * @param reads the replica range of each sub-block that the fragment reads
   * @param stores the target of each sub-block that the fragment stores
   * @param peers the worker of each node that the fragment receives from
   */
  public static ExecuteRequestProto.Builder requestFor(
      Fragment fragment,
      String run,
      long length,
      int slice,
      Function<SubBlock, ReadSource> reads,
      Function<SubBlock, StoreTarget> stores,
      IntFunction<PeerProto> peers) {
    ExecuteRequestProto.Builder request =
        ExecuteRequestProto.newBuilder()
            .setRun(run)
            .setNode(fragment.node())
            .setLength(length)
            .setSlice(slice);
    Set<Integer> senders = new TreeSet<>();
    for (Operation op : fragment.ops()) {
      OpProto.Builder proto = OpProto.newBuilder();
      if (op instanceof Operation.Read read) {
        proto.setRead(readOp(read, reads.apply(read.source())));
      } else if (op instanceof Operation.Receive receive) {
        senders.add(receive.from());
        proto.setReceive(
            ReceiveOpProto.newBuilder().setValue(receive.value()).setFrom(receive.from()));
      } else if (op instanceof Operation.Combine combine) {
        proto.setCombine(combineOp(combine));
      } else if (op instanceof Operation.Send send) {
        proto.setSend(
            SendOpProto.newBuilder()
                .setValue(send.value())
                .setStream(send.stream())
                .setTo(send.to()));
      } else if (op instanceof Operation.Store store) {
        proto.setStore(storeOp(store, stores.apply(store.target())));
      }
      request.addOps(proto);
    }
    for (int sender : senders) {
      request.addPeers(peers.apply(sender));
    }
    return request;
  }

  /**
   * Adds the layout of blocks with several sub-blocks to a request.
   *
   * @param layout layout of sub-blocks in their blocks; one sub-block a block changes nothing
   */
  public static ExecuteRequestProto.Builder layOut(
      ExecuteRequestProto.Builder request, CellLayout layout) {
    if (layout.alpha() > 1) {
      request.setCells(
          CellsProto.newBuilder()
              .setAlpha(layout.alpha())
              .setCell(layout.cell())
              .setUnit(layout.unit()));
    }
    return request;
  }

  /**
   * The layout of sub-blocks in a request's blocks.
   *
   * @throws IOException when the request is not well formed
   */
  public static CellLayout layout(ExecuteRequestProto request) throws IOException {
    if (!request.hasCells()) {
      return CellLayout.whole(request.getLength());
    }
    CellsProto cells = request.getCells();
    try {
      return new CellLayout(cells.getAlpha(), cells.getCell(), cells.getUnit());
    } catch (IllegalArgumentException e) {
      throw new IOException("bad request: " + e.getMessage(), e);
    }
  }

  private static ReadOpProto readOp(Operation.Read read, ReadSource source) {
    ReadOpProto.Builder proto =
        ReadOpProto.newBuilder()
            .setValue(read.value())
            .setSource(subBlock(read.source()))
            .setBlock(StripeCodec.toProto(source.block()))
            .setOffset(source.offset());
    if (!source.token().isEmpty()) {
      proto.setToken(source.token());
    }
    return proto.build();
  }

  private static CombineOpProto combineOp(Operation.Combine combine) {
    Matrix matrix = combine.coefficients();
    byte[] coefficients = new byte[matrix.rows() * matrix.columns()];
    for (int i = 0; i < coefficients.length; i++) {
      coefficients[i] = (byte) matrix.at(i / matrix.columns(), i % matrix.columns());
    }
    return CombineOpProto.newBuilder()
        .addAllOutputs(combine.outputs())
        .addAllInputs(combine.inputs())
        .setCoefficients(ByteString.copyFrom(coefficients))
        .build();
  }

  private static StoreOpProto storeOp(Operation.Store store, StoreTarget target) {
    StoreOpProto.Builder proto =
        StoreOpProto.newBuilder().setValue(store.value()).setTarget(subBlock(store.target()));
    if (target instanceof StoreTarget.Rebuild rebuild) {
      proto.setRebuild(rebuild.proto());
    } else if (target instanceof StoreTarget.Parity parity) {
      proto.setParity(parity.proto());
    }
    return proto.build();
  }

  /**
   * The fragment of a request.
   *
   * @throws IOException when the request is not well formed; the message says where
   */
  public static Fragment toFragment(ExecuteRequestProto request) throws IOException {
    check(!request.getRun().isEmpty(), "the run has no name");
    check(request.getLength() >= 0, "values cannot have " + request.getLength() + " bytes");
    check(
        request.getSlice() > 0 && request.getSlice() <= MAX_SLICE,
        "a slice has 1 to " + MAX_SLICE + " bytes, not " + request.getSlice());
    check(request.getOpsCount() > 0, "it has no operations");
    checkCells(request);
    Map<Integer, PeerProto> peers = peers(request);
    Set<Integer> values = new TreeSet<>();
    List<Operation> ops = new ArrayList<>();
    for (OpProto proto : request.getOpsList()) {
      Operation op = op(proto);
      if (op instanceof Operation.Receive receive) {
        check(
            peers.containsKey(receive.from()),
            "it receives from node " + receive.from() + " but names only peers " + peers.keySet());
      }
      checkValues(op, values);
      ops.add(op);
    }
    return new Fragment(request.getNode(), ops);
  }

  /** Sub-blocks are there, ranges within them, and blocks are stored as a whole. */
  private static void checkCells(ExecuteRequestProto request) throws IOException {
    if (!request.hasCells()) {
      return;
    }
    CellLayout layout = layout(request);
    Map<Integer, TreeSet<Integer>> stored = new TreeMap<>();
    for (OpProto op : request.getOpsList()) {
      if (op.hasRead()) {
        int index = op.getRead().getSource().getIndex();
        check(
            index >= 0 && index < layout.alpha(),
            "sub-block " + index + " is read of blocks of " + layout.alpha());
        check(
            op.getRead().getOffset() <= layout.unit() - request.getLength(),
            request.getLength()
                + " bytes from "
                + op.getRead().getOffset()
                + " on are not in a sub-block of "
                + layout.unit());
      } else if (op.hasStore()) {
        SubBlock target = subBlock(op.getStore().getTarget());
        stored.computeIfAbsent(target.block(), block -> new TreeSet<>()).add(target.index());
      }
    }
    for (Map.Entry<Integer, TreeSet<Integer>> block : stored.entrySet()) {
      check(
          request.getLength() == layout.unit()
              && block.getValue().size() == layout.alpha()
              && block.getValue().first() == 0
              && block.getValue().last() == layout.alpha() - 1,
          request.getLength()
              + " bytes of sub-blocks "
              + block.getValue()
              + " of block "
              + block.getKey()
              + " are not all of its "
              + layout.alpha()
              + " sub-blocks of "
              + layout.unit());
    }
  }

  /** The peers of a request by node number in the plan. */
  public static Map<Integer, PeerProto> peers(ExecuteRequestProto request) {
    Map<Integer, PeerProto> peers = new HashMap<>();
    for (PeerProto peer : request.getPeersList()) {
      peers.put(peer.getNode(), peer);
    }
    return Collections.unmodifiableMap(peers);
  }

  private static Operation op(OpProto proto) throws IOException {
    int kinds =
        (proto.hasRead() ? 1 : 0)
            + (proto.hasReceive() ? 1 : 0)
            + (proto.hasCombine() ? 1 : 0)
            + (proto.hasSend() ? 1 : 0)
            + (proto.hasStore() ? 1 : 0);
    check(kinds == 1, "an operation is of " + kinds + " known kinds, not of one");
    if (proto.hasRead()) {
      ReadOpProto read = proto.getRead();
      check(read.getOffset() >= 0, "a read cannot start at offset " + read.getOffset());
      return new Operation.Read(read.getValue(), subBlock(read.getSource()));
    } else if (proto.hasReceive()) {
      return new Operation.Receive(proto.getReceive().getValue(), proto.getReceive().getFrom());
    } else if (proto.hasCombine()) {
      return combine(proto.getCombine());
    } else if (proto.hasSend()) {
      SendOpProto send = proto.getSend();
      return new Operation.Send(send.getValue(), send.getStream(), send.getTo());
    }
    StoreOpProto store = proto.getStore();
    check(
        store.hasRebuild() != store.hasParity(),
        "the store of " + subBlock(store.getTarget()) + " is not either a rebuild or parity");
    return new Operation.Store(store.getValue(), subBlock(store.getTarget()));
  }

  private static Operation combine(CombineOpProto proto) throws IOException {
    int rows = proto.getOutputsCount();
    int columns = proto.getInputsCount();
    check(
        rows > 0 && proto.getCoefficients().size() == (long) rows * columns,
        proto.getCoefficients().size()
            + " coefficients given for "
            + rows
            + " outputs of "
            + columns
            + " inputs");
    int[] values = new int[rows * columns];
    for (int i = 0; i < values.length; i++) {
      values[i] = proto.getCoefficients().byteAt(i) & 0xff;
    }
    return new Operation.Combine(
        proto.getOutputsList(), Matrix.of(rows, columns, values), proto.getInputsList());
  }

  /** Values are made once, and before they are used. */
  private static void checkValues(Operation op, Set<Integer> values) throws IOException {
    List<Integer> made = List.of();
    List<Integer> used = List.of();
    if (op instanceof Operation.Read read) {
      made = List.of(read.value());
    } else if (op instanceof Operation.Receive receive) {
      made = List.of(receive.value());
    } else if (op instanceof Operation.Combine combine) {
      made = combine.outputs();
      used = combine.inputs();
    } else if (op instanceof Operation.Send send) {
      used = List.of(send.value());
    } else if (op instanceof Operation.Store store) {
      used = List.of(store.value());
    }
    // Whoever sends an operation makes it as wide as he likes: it is not written out.
    String what = "bad request: " + op.getClass().getSimpleName();
    for (int value : used) {
      if (!values.contains(value)) {
        throw new IOException(what + " uses value " + value + " before it is made");
      }
    }
    for (int value : made) {
      if (!values.add(value)) {
        throw new IOException(what + " makes value " + value + " a second time");
      }
    }
  }

  private static void check(boolean holds, String otherwise) throws IOException {
    if (!holds) {
      throw new IOException("bad request: " + otherwise);
    }
  }

  /** A sub-block as a message. */
  public static SubBlockProto subBlock(SubBlock subBlock) {
    return SubBlockProto.newBuilder().setBlock(subBlock.block()).setIndex(subBlock.index()).build();
  }

  /** A sub-block off a message. */
  public static SubBlock subBlock(SubBlockProto proto) {
    return new SubBlock(proto.getBlock(), proto.getIndex());
  }

  /** CRC-32C values by block, as messages. */
  public static List<BlockCrcProto> blockCrcs(Map<Integer, Integer> crcs) {
    List<BlockCrcProto> protos = new ArrayList<>();
    crcs.forEach(
        (block, crc) ->
            protos.add(BlockCrcProto.newBuilder().setBlock(block).setCrc32C(crc).build()));
    return protos;
  }

  /**
   * CRC-32C values by block, including the zeros behind short blocks.
   *
   * @param blocks a worker's answers for blocks with several sub-blocks
   * @param subBlocks a worker's answers for sub-blocks, which are whole blocks if a block has one
   */
  public static Map<Integer, Integer> blockCrcs(
      CellLayout layout, List<BlockCrcProto> blocks, List<CrcProto> subBlocks) {
    Map<Integer, Integer> crcs = new HashMap<>();
    if (layout.alpha() == 1) {
      subBlocks.forEach(crc -> crcs.put(crc.getSubBlock().getBlock(), crc.getCrc32C()));
    } else {
      blocks.forEach(crc -> crcs.put(crc.getBlock(), crc.getCrc32C()));
    }
    return crcs;
  }

  /** CRC-32C values by sub-block, as workers answer them. */
  public static Map<SubBlock, Integer> crcs(List<CrcProto> protos) {
    Map<SubBlock, Integer> crcs = new HashMap<>();
    for (CrcProto proto : protos) {
      crcs.put(subBlock(proto.getSubBlock()), proto.getCrc32C());
    }
    return crcs;
  }
}
