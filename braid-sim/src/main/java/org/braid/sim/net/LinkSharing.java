package org.braid.sim.net;

import java.util.List;
import org.braid.code.Registry;
import org.braid.sim.net.NetworkModel.Observer;
import org.braid.sim.time.Simulation;

/** The registry of network models. */
public enum LinkSharing {
  /** {@link HeldLinks}. */
  HELD("held"),

  /** {@link ReservedLinks}. */
  RESERVED("reserved"),

  /** {@link MaxMinFairFlows}. */
  FAIR("fair");

  private static final Registry<LinkSharing> ALL =
      new Registry<>("network model", List.of(values()), LinkSharing::label);

  private final String label;

  LinkSharing(String label) {
    this.label = label;
  }

  /** The name on command lines. */
  public String label() {
    return label;
  }

  /** A network model with idle links. */
  public NetworkModel on(Simulation simulation, Fabric fabric, Observer observer) {
    return switch (this) {
      case HELD -> new HeldLinks(simulation, fabric, observer);
      case RESERVED -> new ReservedLinks(simulation, fabric, observer);
      case FAIR -> new MaxMinFairFlows(simulation, fabric, observer);
    };
  }

  /**
   * The model of a name.
   *
   * @throws IllegalArgumentException when there is none; the message lists the known names
   */
  public static LinkSharing named(String name) {
    return ALL.named(name);
  }
}
