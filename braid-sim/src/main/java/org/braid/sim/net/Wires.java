package org.braid.sim.net;

import java.util.Arrays;
import org.braid.sim.time.Simulation;

/** A cluster's links in use: what nodes send, read and compute, all of it checked. */
public final class Wires {
  private final Simulation simulation;
  private final Fabric fabric;
  private final Conservation conservation;
  private final NetworkModel model;
  private long inRack;
  private long crossRack;
  private long crossSite;

  /** Idle links. */
  public Wires(Simulation simulation, Fabric fabric, Sharing sharing) {
    this.simulation = simulation;
    this.fabric = fabric;
    conservation = new Conservation(simulation, fabric);
    model = sharing.on(simulation, fabric, conservation);
  }

  public Simulation simulation() {
    return simulation;
  }

  public Fabric fabric() {
    return fabric;
  }

  /** Sends bytes from a node to another; to itself they are sent at once. */
  public void send(int from, int to, long bytes, Runnable arrived) {
    send(from, to, bytes, () -> {}, arrived);
  }

  /**
   * Sends bytes from a node to another.
   *
   * @param sent told when the last byte has left the links, so that others may follow
   * @param arrived told when it is there, by the delay of the way later
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

  /** Reads bytes from a node's disk and sends them on at once: the slower of both counts. */
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
   * Sends bytes from a node on through others, each of which passes them on while they come; all of
   * the way has the rate of its slowest link. A link that is passed twice counts once.
   *
   * @param nodes in the order of the way; where one follows itself nothing is sent
   * @param arrived told when the last byte is at the last node
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

  /** Combines bytes on a node's processor. */
  public void compute(int node, long bytes, Runnable done) {
    pass(fabric.cpu(node), bytes, done);
  }

  /** Has bytes pass links of one node, as {@link Fabric#disk} and {@link Fabric#cpu} give them. */
  public void pass(int[] links, long bytes, Runnable done) {
    if (links.length == 0) {
      done.run();
    } else {
      model.transfer(links, bytes, done);
    }
  }

  /** Bytes that came from a node to another in its rack. */
  public long inRackBytes() {
    return inRack;
  }

  /** Bytes that came from a rack to another. */
  public long crossRackBytes() {
    return crossRack;
  }

  /** Bytes that came from a site to another. */
  public long crossSiteBytes() {
    return crossSite;
  }

  /** What was seen by the checker. */
  public Conservation conservation() {
    return conservation;
  }
}
