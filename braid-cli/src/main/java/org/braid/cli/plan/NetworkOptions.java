package org.braid.cli.plan;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.braid.cli.codes.CodeText;
import org.braid.cli.command.Converters;
import org.braid.code.ErasureCode;
import org.braid.placement.Topology;
import org.braid.plan.cost.Network;
import picocli.CommandLine.Option;

/** Sizes of blocks and slices, and rates of links. */
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
        "Bytes that a node forwards at a time; default: ${DEFAULT-VALUE}. If it is"
            + " the block size, nodes store and forward whole blocks."
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
        "Total rate of the links of a rack's nodes over the rate of its uplink; default:"
            + " ${DEFAULT-VALUE}."
      })
  private double oversubscription;

  @Option(
      names = "--site-link",
      paramLabel = "RATE",
      converter = Converters.Rate.class,
      description = "Rate of the link from a site to the others; default: no limit.")
  private double siteLink = Double.POSITIVE_INFINITY;

  /** Bytes of a block. */
  public long blockSize() {
    return blockSize;
  }

  /** Bytes that a node forwards at a time. */
  public long slice() {
    return slice;
  }

  /** The rates as text. */
  String text() {
    String sites =
        Double.isInfinite(siteLink)
            ? ""
            : ", links of sites of %s Mbit/s".formatted(CodeText.number(siteLink * 8 / 1e6));
    return "links of %s Mbit/s, uplinks oversubscribed %s times%s"
        .formatted(CodeText.number(linkRate * 8 / 1e6), CodeText.number(oversubscription), sites);
  }

  /** Adds the sizes and rates to a JSON object. */
  void put(ObjectNode object) {
    object.put("block_size", blockSize).put("slice", slice);
    object.put("link_bytes_per_second", linkRate);
    object.put("oversubscription", oversubscription);
    if (!Double.isInfinite(siteLink)) {
      object.put("site_link_bytes_per_second", siteLink);
    }
  }

  /** The rates of links. */
  public Network.Rates rates() {
    return new Network.Rates(linkRate, oversubscription, siteLink);
  }

  Network on(Topology topology, ErasureCode code) {
    return Network.of(topology)
        .with(rates())
        .with(Network.Volume.ofBlock(blockSize, code.alpha(), slice));
  }
}
