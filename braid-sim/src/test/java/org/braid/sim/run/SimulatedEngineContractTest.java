package org.braid.sim.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.braid.code.ErasureCode;
import org.braid.code.Gf256;
import org.braid.code.SubBlock;
import org.braid.engine.EngineContract;
import org.braid.engine.FragmentResult;
import org.braid.engine.PlanResult;
import org.braid.placement.Topology;
import org.braid.plan.Fragment;
import org.braid.plan.Link;
import org.braid.plan.Operation;
import org.braid.plan.Plan;
import org.braid.sim.net.Fabric;
import org.braid.sim.net.LinkSharing;
import org.braid.sim.net.SimulatedNetwork;
import org.braid.sim.time.Simulation;

/** The simulated engine stores and moves what the others do; real bytes travel along. */
abstract class SimulatedEngineContractTest extends EngineContract {
  private final LinkSharing sharing;

  SimulatedEngineContractTest(LinkSharing sharing) {
    this.sharing = sharing;
  }

  static final class OnHeldLinks extends SimulatedEngineContractTest {
    OnHeldLinks() {
      super(LinkSharing.HELD);
    }
  }

  static final class OnFairFlows extends SimulatedEngineContractTest {
    OnFairFlows() {
      super(LinkSharing.FAIR);
    }
  }

  @Override
  protected int sliceBytes() {
    return 256;
  }

  @Override
  protected PlanResult run(
      Plan plan, ErasureCode code, Map<Integer, Map<SubBlock, byte[]>> blocks, int length) {
    Simulation simulation = new Simulation();
    var speeds = new Fabric.Speeds(1e6, 3e6, 1e6, 2e6, 1e7, Fabric.Delays.NONE);
    Fabric fabric = new Fabric(Topology.of(4, 4), speeds);
    SimulatedNetwork network = new SimulatedNetwork(simulation, fabric, sharing);
    Bytes bytes = new Bytes(blocks, length);
    Map<String, SimulatedRun> runs = new HashMap<>();
    new SimulatedEngine(network, sliceBytes(), 2)
        .begin(plan, length, bytes, run -> runs.put("run", run));
    simulation.run();
    network.conservation().verifyEnded();
    SimulatedRun run = runs.get("run");
    bytes.stored.forEach(
        (node, targets) ->
            targets.keySet().forEach(target -> assertEquals(node, run.storedAt().get(target))));
    assertEquals(
        run.bytes().values().stream().mapToLong(Long::longValue).sum(),
        network.inRackBytes() + network.crossRackBytes());
    Map<Integer, FragmentResult> outcomes = new HashMap<>();
    for (Fragment fragment : plan.fragments()) {
      outcomes.put(fragment.node(), bytes.outcome(fragment));
    }
    return new PlanResult(bytes.stored, run.bytes(), outcomes);
  }

  /** Contents that travel with sizes. */
  private static final class Bytes implements Payload {
    private final Map<Integer, Map<SubBlock, byte[]>> blocks;
    private final int length;
    private final Map<List<Integer>, byte[]> values = new HashMap<>();
    private final Map<Integer, ArrayDeque<byte[]>> streams = new HashMap<>();
    private final Map<Integer, Map<SubBlock, byte[]>> stored = new HashMap<>();
    private final Map<Link, Long> sent = new HashMap<>();
    private final Map<Link, Long> received = new HashMap<>();

    Bytes(Map<Integer, Map<SubBlock, byte[]>> blocks, int length) {
      this.blocks = blocks;
      this.length = length;
    }

    @Override
    public void ran(int node, Operation op, long offset, int count) {
      if (op instanceof Operation.Read read) {
        byte[] block = blocks.get(node).get(read.source());
        byte[] slice = new byte[count];
        System.arraycopy(block, (int) offset, slice, 0, count);
        values.put(List.of(node, read.value()), slice);
      } else if (op instanceof Operation.Receive receive) {
        byte[] slice = streams.get(receive.value()).remove();
        assertEquals(count, slice.length);
        values.put(List.of(node, receive.value()), slice);
        received.merge(new Link(receive.from(), node), (long) count, Long::sum);
      } else if (op instanceof Operation.Combine combine) {
        for (int row = 0; row < combine.outputs().size(); row++) {
          byte[] out = new byte[count];
          for (int column = 0; column < combine.inputs().size(); column++) {
            byte[] in = values.get(List.of(node, combine.inputs().get(column)));
            for (int i = 0; i < count; i++) {
              out[i] ^= (byte) Gf256.multiply(combine.coefficients().at(row, column), in[i] & 0xff);
            }
          }
          values.put(List.of(node, combine.outputs().get(row)), out);
        }
      } else if (op instanceof Operation.Send send) {
        streams
            .computeIfAbsent(send.stream(), unused -> new ArrayDeque<>())
            .add(values.get(List.of(node, send.value())));
        sent.merge(new Link(node, send.to()), (long) count, Long::sum);
      } else if (op instanceof Operation.Store store) {
        byte[] slice = values.get(List.of(node, store.value()));
        byte[] block =
            stored
                .computeIfAbsent(node, unused -> new HashMap<>())
                .computeIfAbsent(store.target(), unused -> new byte[length]);
        System.arraycopy(slice, 0, block, (int) offset, count);
      }
    }

    FragmentResult outcome(Fragment fragment) {
      Map<SubBlock, Integer> reads = new HashMap<>();
      Map<SubBlock, Integer> stores = new HashMap<>();
      Map<Integer, Long> out = new HashMap<>();
      Map<Integer, Long> in = new HashMap<>();
      int node = fragment.node();
      for (Operation op : fragment.ops()) {
        if (op instanceof Operation.Read read) {
          reads.put(read.source(), crc(blocks.get(node).get(read.source())));
        } else if (op instanceof Operation.Store store) {
          stores.put(store.target(), crc(stored.get(node).get(store.target())));
        } else if (op instanceof Operation.Send send) {
          out.put(send.to(), sent.get(new Link(node, send.to())));
        } else if (op instanceof Operation.Receive receive) {
          in.put(receive.from(), received.get(new Link(receive.from(), node)));
        }
      }
      return new FragmentResult(reads, stores, out, in, 0, 0, 0);
    }

    private static int crc(byte[] bytes) {
      CRC32C crc = new CRC32C();
      crc.update(bytes);
      return (int) crc.getValue();
    }
  }
}
