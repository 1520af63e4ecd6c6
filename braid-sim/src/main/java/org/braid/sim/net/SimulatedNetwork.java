package org.braid.sim.net;

import java.util.Arrays;
import org.braid.sim.time.Simulation;

/** What nodes send, read and compute over the links of a cluster, checked for conservation. */
public final class SimulatedNetwork {
  private final Simulation simulation;
  private final Fabric fabric;
  private final ConservationChecker conservation;
  private final NetworkModel model;
  private long inRack;
  private long crossRack;
  private long crossSite;

  /** A network with idle links. */
  public SimulatedNetwork(Simulation simulation, Fabric fabric, LinkSharing sharing) {
    this.simulation = simulation;
    this.fabric = fabric;
    conservation = new ConservationChecker(simulation, fabric);
    model = sharing.on(simulation, fabric, conservation);
  }

  /** The clock. */
  public Simulation simulation() {
    return simulation;
  }

  /** The links. */
  public Fabric fabric() {
    return fabric;
  }

  /** Sends bytes from a node to another; to itself at once. */
  public void send(int from, int to, long bytes, Runnable arrived) {
    send(from, to, bytes, () -> {}, arrived);
  }

  /**
   * Sends bytes from a node to another.
   *
   * @param sent runs when the last byte has left the links, so that others may follow
   * @param arrived runs when the last byte has arrived, one delay later
   */
  public void send(int from, int to, long bytes, Runnable sent, Runnable arrived) {
    if (from == to) {
      simulation.after(0, sent);
      simulation.after(0, arrived);
      return;
    }
    long delay = fabric.delay(from, to);
    model.transfer(
        fabric.route(from, to),
        bytes,
        () -> {
          count(from, to, bytes);
          if (delay > 0) {
            simulation.after(delay, arrived);
          } else {
            arrived.run();
          }
          sent.run();
        });
  }

  /** Reads bytes from a node's disk and sends them at the same time, at the slower rate of both. */
  public void read(int from, int to, long bytes, Runnable arrived) {
    int[] disk = fabric.disk(from);
    int[] route = fabric.route(from, to);
    int[] links = Arrays.copyOf(disk, disk.length + route.length);
    System.arraycopy(route, 0, links, disk.length, route.length);
    long delay = fabric.delay(from, to);
    model.transfer(
        links,
        bytes,
        () -> {
          if (from != to) {
            count(from, to, bytes);
          }
          simulation.after(delay, arrived);
        });
  }

  /**
   * Sends bytes through a pipeline of nodes, at the rate of its slowest link. A link that is used
   * twice counts once.
   *
   * @param nodes in the order of the pipeline; nothing is sent where a node follows itself
   * @param arrived runs when the last byte is at the last node
   */
  public void pipeline(int from, int[] nodes, long bytes, Runnable arrived) {
    int[] links = new int[0];
    long delay = 0;
    int last = from;
    for (int node : nodes) {
      int[] route = fabric.route(last, node);
      links = Arrays.copyOf(links, links.length + route.length);
      System.arraycopy(route, 0, links, links.length - route.length, route.length);
      delay += fabric.delay(last, node);
      last = node;
    }
    long onTheWay = delay;
    model.transfer(
        Arrays.stream(links).distinct().toArray(),
        bytes,
        () -> {
          int sender = from;
          for (int node : nodes) {
            if (node != sender) {
              count(sender, node, bytes);
            }
            sender = node;
          }
          simulation.after(onTheWay, arrived);
        });
  }

  private void count(int from, int to, long bytes) {
    if (!fabric.crossesRacks(from, to)) {
      inRack += bytes;
      return;
    }
    crossRack += bytes;
    if (fabric.topology().siteOf(from) != fabric.topology().siteOf(to)) {
      crossSite += bytes;
    }
  }

  /** Reads or writes bytes on a node's disk. */
  public void disk(int node, long bytes, Runnable done) {
    pass(fabric.disk(node), bytes, done);
  }

  /** Moves bytes over links of one node, given by {@link Fabric#disk} or {@link Fabric#cpu}. */
  public void pass(int[] links, long bytes, Runnable done) {
    if (links.length == 0) {
      done.run();
    } else {
      model.transfer(links, bytes, done);
    }
  }

  /** Bytes between nodes of the same rack. */
  public long inRackBytes() {
    return inRack;
  }

  /** Bytes between racks. */
  public long crossRackBytes() {
    return crossRack;
  }

  /** Bytes between sites. */
  public long crossSiteBytes() {
    return crossSite;
  }

  /** The checker of all transfers. */
  public ConservationChecker conservation() {
    return conservation;
  }
}
