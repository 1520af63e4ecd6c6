package org.braid.hdfs.coordinator;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.braid.code.ErasureCode;
import org.braid.code.derive.ParityCopies;
import org.braid.hdfs.api.PlacementView;
import org.braid.hdfs.api.StatusReport;
import org.braid.hdfs.api.StatusReport.CodeCount;
import org.braid.hdfs.api.StatusReport.Coordination;
import org.braid.hdfs.api.StatusReport.CopyCount;
import org.braid.hdfs.api.StatusReport.FileCounts;
import org.braid.hdfs.api.StatusReport.NodeShare;
import org.braid.hdfs.api.StatusReport.NodeStatus;
import org.braid.hdfs.dispatch.Workers;
import org.braid.hdfs.proto.BraidProtos.BlockStatusProto;
import org.braid.hdfs.proto.BraidProtos.CoordinationProto;
import org.braid.hdfs.proto.BraidProtos.DatanodeProto;
import org.braid.hdfs.proto.BraidProtos.FileProto;
import org.braid.hdfs.proto.BraidProtos.MemberStatusProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.hdfs.proto.BraidProtos.StripeStatusProto;

/** What is stored where: numbers for people, placements for drawings. Changes nothing. */
final class Overview {
  private final NameNodeCalls nameNode;
  private final Workers workers;

  Overview(NameNodeCalls nameNode, Workers workers) {
    this.nameNode = nameNode;
    this.workers = workers;
  }

  StatusReport status(String path) throws IOException {
    ClusterState state = ClusterState.take(nameNode, workers);
    List<FileProto> files = nameNode.files(path);
    StripeMap stripes = StripeMap.of(nameNode, files);
    int replicated = 0;
    int converted = 0;
    int partly = 0;
    long logical = 0;
    for (FileProto file : files) {
      int in = 0;
      for (BlockStatusProto block : file.getBlocksList()) {
        in += stripes.holds(block) ? 1 : 0;
        logical += block.getBlock().getLength();
      }
      if (in == 0) {
        replicated++;
      } else if (in == file.getBlocksCount() && file.getReplication() == 1) {
        converted++;
      } else {
        partly++;
      }
    }
    Map<String, int[]> counts = new TreeMap<>();
    for (StripeStatusProto status : stripes.all()) {
      StripeProto stripe = status.getStripe();
      ErasureCode code = Stripes.code(stripe);
      int[] count = counts.computeIfAbsent(code.name(), c -> new int[3]);
      count[0]++;
      for (int i = 0; i < stripe.getMembersCount(); i++) {
        if (i >= code.k()) {
          count[2]++;
        } else if (!Stripes.isVirtual(stripe, i)) {
          count[1]++;
        }
      }
    }
    List<CodeCount> codes = new ArrayList<>();
    counts.forEach((code, c) -> codes.add(new CodeCount(code, c[0], c[1], c[2])));
    return new StatusReport(
        coordination(state.coordination()),
        nodes(state),
        new FileCounts(replicated, converted, partly),
        codes,
        logical,
        stripes.storedBytes(files),
        stripes.parityBytes(),
        copies(stripes, state),
        mostLoaded(files, state));
  }

  private static CopyCount copies(StripeMap stripes, ClusterState state) {
    int promised = 0;
    int readable = 0;
    for (StripeStatusProto status : stripes.all()) {
      ErasureCode code = Stripes.code(status.getStripe());
      for (int i = code.k(); ParityCopies.of(code) > 1 && i < code.n(); i++) {
        MemberStatusProto member = status.getMembers(i);
        promised++;
        readable += !member.getGone() && state.readable(member.getStatus()).length > 0 ? 1 : 0;
      }
    }
    return new CopyCount(promised, readable);
  }

  private static NodeShare mostLoaded(List<FileProto> files, ClusterState state) {
    Map<String, Double> loads = ReadLoads.byNode(files);
    double blocks = loads.values().stream().mapToDouble(Double::doubleValue).sum();
    long live = state.nodes().stream().filter(DatanodeProto::getLive).count();
    return loads.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(
            most ->
                new NodeShare(
                    state.indexOf(most.getKey()).isPresent()
                        ? state.name(state.indexOf(most.getKey()).getAsInt())
                        : most.getKey(),
                    most.getValue() / blocks,
                    live == 0 ? 0 : 1.0 / live))
        .orElse(new NodeShare("", 0, live == 0 ? 0 : 1.0 / live));
  }

  private static Coordination coordination(CoordinationProto described) {
    return new Coordination(
        described.getCoordinator(),
        described.getDeferring(),
        described.getServed(),
        described.getWaiting(),
        described.getWaitMillis() / 1000.0,
        described.getHearsHeartbeats());
  }

  private static List<NodeStatus> nodes(ClusterState state) {
    List<NodeStatus> out = new ArrayList<>();
    for (int i = 0; i < state.nodes().size(); i++) {
      DatanodeProto node = state.node(i);
      out.add(
          new NodeStatus(
              node.getHost(),
              node.getRack(),
              node.getLive(),
              state.answers(i),
              state.answers(i)
                  ? state.answer(i).getKernel()
                  : node.getLive() && node.getSuspect() ? "suspect: silent" : "does not answer",
              node.getRemaining()));
    }
    return out;
  }

  PlacementView placement(List<String> paths) throws IOException {
    ClusterState state = ClusterState.take(nameNode, workers);
    List<PlacementView.Node> nodes = new ArrayList<>();
    for (int i = 0; i < state.nodes().size(); i++) {
      nodes.add(
          new PlacementView.Node(
              state.name(i), state.node(i).getRack(), state.node(i).getLive() && state.answers(i)));
    }
    List<FileProto> files = new ArrayList<>();
    for (String path : paths) {
      files.addAll(nameNode.files(path));
    }
    StripeMap stripes = StripeMap.of(nameNode, files);
    List<String> order = stripes.ids();
    List<PlacementView.Block> blocks = new ArrayList<>();
    for (FileProto file : files) {
      String name = file.getPath().substring(file.getPath().lastIndexOf('/') + 1);
      for (int i = 0; i < file.getBlocksCount(); i++) {
        BlockStatusProto block = file.getBlocks(i);
        StripeStatusProto status = stripes.of(block);
        int stripe = status == null ? -1 : order.indexOf(status.getStripe().getId());
        int position =
            status == null
                ? -1
                : Stripes.positionOf(status.getStripe(), block.getBlock()).orElse(-1);
        blocks.add(block(name + "#" + i, stripe, position, false, block, state));
      }
    }
    for (StripeStatusProto status : stripes.all()) {
      ErasureCode code = ParityCopies.original(Stripes.code(status.getStripe()));
      for (int i = code.k(); i < status.getMembersCount(); i++) {
        int copy = (i - code.k()) / code.m();
        blocks.add(
            block(
                "parity " + (i - code.k()) % code.m() + (copy == 0 ? "" : ", copy " + (copy + 1)),
                order.indexOf(status.getStripe().getId()),
                i,
                true,
                status.getMembers(i).getStatus(),
                state));
      }
    }
    return new PlacementView(nodes, blocks);
  }

  private static PlacementView.Block block(
      String label,
      int stripe,
      int position,
      boolean parity,
      BlockStatusProto block,
      ClusterState state) {
    List<Integer> holders = new ArrayList<>();
    block.getReplicasList().forEach(r -> state.indexOf(r.getNode()).ifPresent(holders::add));
    return new PlacementView.Block(
        label, stripe, position, parity, block.getBlock().getLength(), holders);
  }
}
