package org.braid.hdfs.coordinator.convert;

import org.braid.code.ErasureCode;
import org.braid.hdfs.api.ConvertRequest.Encode;
import org.braid.placement.Topology;
import org.braid.plan.Plan;
import org.braid.plan.cost.Network;
import org.braid.plan.cost.Network.Volume;
import org.braid.plan.cost.PlanCost;
import org.braid.plan.shape.EncodePlanner;

/**
 * Chooses how the parity of a stripe is computed. For one stripe a pipeline is faster, as no link
 * carries all data, but it moves more bytes in total. When many stripes are encoded at once, the
 * total decides.
 */
public final class EncodeChoice {
  private final ErasureCode code;
  private final Encode wanted;
  private final int atOnce;
  private final int slice;
  private final Network.Rates rates;

  /**
   * A choice for stripes of a code.
   *
   * @param atOnce stripes that are encoded at the same time
   * @param slice bytes of a slice
   * @param rates how fast links are
   */
  public EncodeChoice(ErasureCode code, Encode wanted, int atOnce, int slice, Network.Rates rates) {
    this.code = code;
    this.wanted = wanted;
    this.atOnce = atOnce;
    this.slice = slice;
    this.rates = rates;
  }

  /**
   * The nodes of a stripe: one with a replica of each data block, the encoding node, one for each
   * parity block.
   */
  @SuppressWarnings("ArrayRecordComponent") // a plain carrier: never compared, never a key
  public record Nodes(int[] sources, int encoder, int[] parities) {}

  /**
   * The plan of a stripe.
   *
   * @param length bytes of its longest block
   */
  public Plan plan(Topology topology, Nodes nodes, long length) {
    Plan gather = EncodePlanner.gather(code, nodes.sources(), nodes.encoder(), nodes.parities());
    if (wanted == Encode.GATHER) {
      return gather;
    }
    Network network =
        Network.of(topology)
            .with(rates)
            .with(Volume.ofBlock(Math.max(1, length), code.alpha(), slice));
    Plan pipelined = EncodePlanner.pipelined(code, nodes.sources(), nodes.parities(), network);
    return wanted == Encode.PIPELINED
            || seconds(pipelined, topology, network) < seconds(gather, topology, network)
        ? pipelined
        : gather;
  }

  /** Whether a plan is a pipeline. */
  public static boolean isPipelined(Plan plan) {
    return plan.shape().equals("pipelined");
  }

  /**
   * The greater of the time of one stripe alone and the time that the links are busy with all
   * concurrent stripes.
   */
  private double seconds(Plan plan, Topology topology, Network network) {
    PlanCost cost = PlanCost.of(plan, code.alpha(), network);
    double block = (double) network.volume().value() * code.alpha();
    double links = topology.nodes() * rates.link();
    double uplinks = links / rates.oversubscription();
    double sites = topology.sites() * rates.site();
    double busy = Math.max(cost.total() * block / links, cost.crossRack() * block / uplinks);
    return Math.max(cost.seconds(), atOnce * Math.max(busy, cost.crossSite() * block / sites));
  }
}
