package org.braid.sim.net;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.braid.sim.time.Simulation;
import org.jspecify.annotations.Nullable;

/**
 * Transfers move packet by packet. A packet reserves its links one after the other, first come,
 * first served: the uplinks of racks first, the sender's before the receiver's, then the links of
 * nodes. It keeps reserved links while it waits for the next one, and moves when it has all. So
 * reserved links may be idle, as in switches with input queues, and transfers on a link take turns.
 */
public final class ReservedLinks implements NetworkModel {
  /** Bytes of a packet. */
  static final long PACKET = 4 << 20;

  private final Simulation simulation;
  private final Fabric fabric;
  private final Observer observer;
  private final boolean[] held;
  private final @Nullable ArrayDeque<Transfer>[] queues;
  private long transfers;

  private static final class Transfer {
    final long number;
    final int[] links;
    final double rate;
    final Runnable done;
    long left;

    /** Number of links that it has reserved. */
    int got;

    Transfer(long number, int[] links, double rate, long bytes, Runnable done) {
      this.number = number;
      this.links = links;
      this.rate = rate;
      this.done = done;
      left = bytes;
    }
  }

  /** Idle links. */
  @SuppressWarnings({"unchecked", "rawtypes"})
  public ReservedLinks(Simulation simulation, Fabric fabric, Observer observer) {
    this.simulation = simulation;
    this.fabric = fabric;
    this.observer = observer;
    held = new boolean[fabric.links()];
    queues = new ArrayDeque[fabric.links()];
  }

  @Override
  public void transfer(int[] links, long bytes, Runnable done) {
    double rate = IntStream.of(links).mapToDouble(fabric::rate).min().orElse(1);
    int[] ordered =
        IntStream.of(links)
            .boxed()
            // One order for all transfers, or two pipelines could deadlock.
            .sorted(Comparator.comparingInt(fabric::reservationOrder).thenComparing(link -> link))
            .mapToInt(Integer::intValue)
            .toArray();
    Transfer transfer = new Transfer(transfers++, ordered, rate, bytes, done);
    observer.began(transfer.number, links, bytes);
    if (links.length == 0 || bytes == 0) {
      simulation.after(0, () -> end(transfer));
    } else {
      reserve(transfer);
    }
  }

  private void reserve(Transfer transfer) {
    while (transfer.got < transfer.links.length) {
      int link = transfer.links[transfer.got];
      if (held[link]) {
        ArrayDeque<Transfer> queue = queues[link];
        if (queue == null) {
          queue = new ArrayDeque<>(2);
          queues[link] = queue;
        }
        queue.add(transfer);
        return;
      }
      held[link] = true;
      transfer.got++;
    }
    observer.rate(transfer.number, transfer.rate);
    long packet = Math.min(PACKET, transfer.left);
    transfer.left -= packet;
    simulation.after(Simulation.nanos(packet / transfer.rate), () -> sent(transfer));
  }

  private void sent(Transfer transfer) {
    observer.rate(transfer.number, 0);
    transfer.got = 0;
    for (int link : transfer.links) {
      release(link);
    }
    if (transfer.left > 0) {
      reserve(transfer);
    } else {
      end(transfer);
    }
  }

  private void release(int link) {
    ArrayDeque<Transfer> queue = queues[link];
    Transfer next = queue == null ? null : queue.poll();
    if (next == null) {
      held[link] = false;
    } else {
      next.got++;
      reserve(next);
    }
  }

  private void end(Transfer transfer) {
    observer.ended(transfer.number);
    transfer.done.run();
  }
}
