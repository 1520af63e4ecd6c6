package org.braid.lab.chaos;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.braid.lab.network.LabTopology;
import org.braid.placement.Topology;

/**
 * The settings of a run of chaos.
 *
 * @param topology racks and nodes, and a client's host for each client
 * @param seed of all decisions
 * @param time its duration before the last calm
 * @param codes names of the codes that files are converted to
 * @param tolerance how many losses each of them survives, and each replicated block
 * @param blockSize bytes of a block
 * @param clientSteps number of steps of each client in a round
 * @param braidSteps number of commands of each process of Braid's commands in a round
 */
public record ChaosSettings(
    LabTopology topology,
    long seed,
    Duration time,
    List<String> codes,
    int tolerance,
    long blockSize,
    int clientSteps,
    int braidSteps) {
  /** How many clients there are, and how many processes of Braid's commands. */
  static final int LANES = 2;

  public ChaosSettings {
    codes = List.copyOf(codes);
  }

  /**
   * Four racks of three nodes, two clients and small blocks.
   *
   * @param time its duration before the last calm
   */
  public static ChaosSettings of(long seed, Duration time) {
    return new ChaosSettings(
        // Clients are in no rack, so that cutting one off takes nodes away and nothing else.
        LabTopology.of(
            Topology.parse("4x3"),
            IntStream.range(0, LANES).mapToObj(i -> new LabTopology.Client("c" + i, "")).toList()),
        seed,
        time,
        List.of("rs-3-2", "lrc-4-2-2"),
        2,
        256 << 10,
        60,
        6);
  }
}
