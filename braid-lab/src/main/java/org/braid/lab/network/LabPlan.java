package org.braid.lab.network;

import java.nio.file.Path;
import org.braid.experiment.ExperimentException;

/**
 * What a lab's network is to be: where everything stands, and how fast the links are.
 *
 * @param topology who stands where
 * @param limits of the links
 */
public record LabPlan(LabTopology topology, Limits limits) {
  public LabPlan {
    limits.check(topology);
  }

  /**
   * The plan of a notation, {@code RACKSxNODES} or {@code SITESxRACKSxNODES}, with one client and
   * no limits; or of a {@linkplain TopologyFile file} of that name.
   */
  public static LabPlan of(String text) throws ExperimentException {
    if (!isNotation(text)) {
      return TopologyFile.read(Path.of(text));
    }
    try {
      return new LabPlan(LabTopology.parse(text, 1), Limits.NONE);
    } catch (IllegalArgumentException e) {
      throw ExperimentException.wrong(String.valueOf(e.getMessage()));
    }
  }

  /** Whether a text is such a notation, and not the name of a file. */
  public static boolean isNotation(String text) {
    return text.matches("[0-9]+(x[0-9]+)+");
  }

  /** The same with other limits. */
  public LabPlan with(Limits other) {
    return new LabPlan(topology, other);
  }

  /** The same with so many clients, which stand in the racks in turn. */
  public LabPlan withClients(int clients) {
    return new LabPlan(
        LabTopology.of(topology.topology(), LabTopology.inTurn(topology.topology(), clients)),
        limits);
  }
}
