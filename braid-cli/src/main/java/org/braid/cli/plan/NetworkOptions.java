package org.braid.cli.plan;

import org.braid.cli.Converters;
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

  /** Bytes of a block. */
  public long blockSize() {
    return blockSize;
  }

  /** Bytes that are sent on at a time. */
  public long slice() {
    return slice;
  }

  double linkRate() {
    return linkRate;
  }

  double oversubscription() {
    return oversubscription;
  }

  /** Rates of links. */
  public Network.Rates rates() {
    return new Network.Rates(linkRate, oversubscription);
  }

  Network on(Topology topology, ErasureCode code) {
    return Network.of(topology)
        .with(rates())
        .with(Network.Volume.ofBlock(blockSize, code.alpha(), slice));
  }
}
