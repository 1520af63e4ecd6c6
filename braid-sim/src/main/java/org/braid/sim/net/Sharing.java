package org.braid.sim.net;

import java.util.List;
import org.braid.code.Registry;
import org.braid.sim.net.NetworkModel.Observer;
import org.braid.sim.time.Simulation;

/** The registry of network models. */
public enum Sharing {
  /** {@link HeldLinks}. */
  HELD("held", HeldLinks::new),

  /** {@link FairFlows}. */
  FAIR("fair", FairFlows::new);

  private static final Registry<Sharing> ALL =
      new Registry<>("network model", List.of(values()), Sharing::label);

  private final String label;
  private final Maker maker;

  private interface Maker {
    NetworkModel on(Simulation simulation, Fabric fabric, Observer observer);
  }

  Sharing(String label, Maker maker) {
    this.label = label;
    this.maker = maker;
  }

  /** The name on command lines. */
  public String label() {
    return label;
  }

  /** A model of idle links. */
  public NetworkModel on(Simulation simulation, Fabric fabric, Observer observer) {
    return maker.on(simulation, fabric, observer);
  }

  /**
   * The model of a name.
   *
   * @throws IllegalArgumentException when there is none; lists the known names
   */
  public static Sharing named(String name) {
    return ALL.named(name);
  }
}
