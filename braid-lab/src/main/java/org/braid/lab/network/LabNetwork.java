package org.braid.lab.network;

import java.nio.file.Path;
import org.braid.experiment.ExperimentException;

/**
 * The network of a lab: its topology and the limits of its links.
 *
 * @param topology hosts, racks and sites
 * @param limits of the links
 */
public record LabNetwork(LabTopology topology, LinkLimits limits) {
  public LabNetwork {
    limits.check(topology);
  }

  /**
   * The network of a notation, {@code RACKSxNODES} or {@code SITESxRACKSxNODES}, with one client
   * and no limits; or of a {@linkplain TopologyFile file}.
   */
  public static LabNetwork of(String text) throws ExperimentException {
    if (!isNotation(text)) {
      return TopologyFile.read(Path.of(text));
    }
    try {
      return new LabNetwork(LabTopology.parse(text, 1), LinkLimits.NONE);
    } catch (IllegalArgumentException e) {
      throw ExperimentException.wrong(String.valueOf(e.getMessage()));
    }
  }

  /** Whether a text is a notation and not the name of a file. */
  public static boolean isNotation(String text) {
    return text.matches("[0-9]+(x[0-9]+)+");
  }

  /** A copy with other limits. */
  public LabNetwork with(LinkLimits other) {
    return new LabNetwork(topology, other);
  }

  /** A copy with clients that are assigned to the racks in turn. */
  public LabNetwork withClients(int clients) {
    return new LabNetwork(
        LabTopology.of(topology.topology(), LabTopology.inTurn(topology.topology(), clients)),
        limits);
  }
}
