package org.braid.sim.net;

import java.util.Comparator;
import java.util.PriorityQueue;
import org.braid.sim.time.Simulation;
import org.jspecify.annotations.Nullable;

/**
 * Each link is held by one transfer at a time, for the whole transfer (the simulator of EAR section
 * 5.2). A transfer begins when all of its links are free, and has the rate of the slowest. Of the
 * transfers that could begin, the one that asked first does.
 *
 * <p>A transfer holds no link while it waits, so that transfers that wait for busy links do not
 * block idle ones. EAR's resources are held "for some duration of the request"; {@link
 * ReservedLinks} is the other reading.
 */
public final class HeldLinks implements NetworkModel {
  private static final Comparator<Transfer> FIRST_COME =
      Comparator.comparingLong(transfer -> transfer.number);

  private final Simulation simulation;
  private final Fabric fabric;
  private final Observer observer;
  private final boolean[] held;

  /** By link, the transfers that wait for it. */
  private final @Nullable PriorityQueue<Transfer>[] queues;

  private long transfers;

  private record Transfer(long number, int[] links, long bytes, Runnable done) {}

  /** Idle links. */
  @SuppressWarnings({"unchecked", "rawtypes"})
  public HeldLinks(Simulation simulation, Fabric fabric, Observer observer) {
    this.simulation = simulation;
    this.fabric = fabric;
    this.observer = observer;
    held = new boolean[fabric.links()];
    queues = new PriorityQueue[fabric.links()];
  }

  @Override
  public void transfer(int[] links, long bytes, Runnable done) {
    Transfer transfer = new Transfer(transfers++, links, bytes, done);
    observer.began(transfer.number, links, bytes);
    beginOrWait(transfer);
  }

  private void beginOrWait(Transfer transfer) {
    double rate = Double.POSITIVE_INFINITY;
    for (int link : transfer.links) {
      if (held[link]) {
        waitFor(link, transfer);
        return;
      }
      rate = Math.min(rate, fabric.rate(link));
    }
    for (int link : transfer.links) {
      held[link] = true;
    }
    observer.rate(transfer.number, rate);
    simulation.after(Simulation.nanos(transfer.bytes / rate), () -> end(transfer));
  }

  private void waitFor(int link, Transfer transfer) {
    PriorityQueue<Transfer> queue = queues[link];
    if (queue == null) {
      queue = new PriorityQueue<>(2, FIRST_COME);
      queues[link] = queue;
    }
    queue.add(transfer);
  }

  private void end(Transfer transfer) {
    observer.ended(transfer.number);
    for (int link : transfer.links) {
      held[link] = false;
    }
    beginNext(transfer.links);
    transfer.done.run();
  }

  /** Begins transfers that wait for freed links, first come, first served. */
  private void beginNext(int[] freed) {
    while (true) {
      PriorityQueue<Transfer> first = null;
      for (int link : freed) {
        PriorityQueue<Transfer> queue = queues[link];
        boolean open = !held[link] && queue != null && !queue.isEmpty();
        if (open && (first == null || FIRST_COME.compare(queue.peek(), first.peek()) < 0)) {
          first = queue;
        }
      }
      if (first == null) {
        return;
      }
      beginOrWait(first.remove());
    }
  }
}
