package org.braid.cli.plan;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.braid.cli.Converters;
import org.braid.cli.codes.Blocks;
import org.braid.code.ErasureCode;
import org.braid.placement.Topology;
import org.braid.plan.Network;
import picocli.CommandLine.Option;

/** What a network is told: how much there is to move, and how fast its links are. */
public final class NetworkOptions {
  @Option(
      names = "--block-size",
      defaultValue = "128m",
      paramLabel = "SIZE",
      converter = Converters.Size.class,
      description = "Bytes of a block; default: ${DEFAULT-VALUE}.")
  private long blockSize;

  @Option(
      names = "--slice",
      defaultValue = "256k",
      paramLabel = "SIZE",
      converter = Converters.Size.class,
      description = {
        "Bytes that are sent on at a time; default: ${DEFAULT-VALUE}. With the block's size, each"
            + " node stores all before it sends."
      })
  private long slice;

  @Option(
      names = {"--link", "--link-rate"},
      defaultValue = "10gbit",
      paramLabel = "RATE",
      converter = Converters.Rate.class,
      description = "Rate of a node's link, as in 100mbit; default: ${DEFAULT-VALUE}.")
  private double linkRate;

  @Option(
      names = "--oversubscription",
      defaultValue = "4",
      paramLabel = "X",
      converter = Converters.Ratio.class,
      description = {
        "What the links of a rack's nodes add up to, over the rate of the rack's uplink;"
            + " default: ${DEFAULT-VALUE}."
      })
  private double oversubscription;

  @Option(
      names = "--site-link",
      paramLabel = "RATE",
      converter = Converters.Rate.class,
      description = "Rate of a site's link to the others; default: it never limits.")
  private double siteLink = Double.POSITIVE_INFINITY;

  /** Bytes of a block. */
  public long blockSize() {
    return blockSize;
  }

  /** Bytes that are sent on at a time. */
  public long slice() {
    return slice;
  }

  /** The rates, for people. */
  String text() {
    String sites =
        Double.isInfinite(siteLink)
            ? ""
            : ", links of sites of %s Mbit/s".formatted(Blocks.number(siteLink * 8 / 1e6));
    return "links of %s Mbit/s, uplinks oversubscribed %s times%s"
        .formatted(Blocks.number(linkRate * 8 / 1e6), Blocks.number(oversubscription), sites);
  }

  /** The same for scripts. */
  void put(ObjectNode object) {
    object.put("block_size", blockSize).put("slice", slice);
    object.put("link_bytes_per_second", linkRate);
    object.put("oversubscription", oversubscription);
    if (!Double.isInfinite(siteLink)) {
      object.put("site_link_bytes_per_second", siteLink);
    }
  }

  /** Rates of links. */
  public Network.Rates rates() {
    return new Network.Rates(linkRate, oversubscription, siteLink);
  }

  Network on(Topology topology, ErasureCode code) {
    return Network.of(topology)
        .with(rates())
        .with(Network.Volume.ofBlock(blockSize, code.alpha(), slice));
  }
}
