package org.braid.hdfs.coordinator;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.proto.BraidProtos.AcquireResponseProto;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lease that makes this the only coordinator at work. It is renewed in the background; the
 * NameNode refuses every change without it, so a coordinator that lost it can do no harm.
 */
final class LeaseKeeper implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseKeeper.class);

  private final NameNodeCalls nameNode;
  private final String lease;
  private final ScheduledExecutorService renewer;

  private LeaseKeeper(NameNodeCalls nameNode, AcquireResponseProto acquired) {
    this.nameNode = nameNode;
    this.lease = acquired.getLease();
    renewer =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "braid-lease");
              thread.setDaemon(true);
              return thread;
            });
    long period = Math.max(1, acquired.getMillis() / 3);
    var unused = renewer.scheduleAtFixedRate(this::renew, period, period, TimeUnit.MILLISECONDS);
  }

  /**
   * Takes the lease; one that a dead coordinator left is waited for.
   *
   * @throws RefusedException when another coordinator keeps renewing it
   */
  static LeaseKeeper acquire(NameNodeCalls nameNode) throws IOException {
    String holder =
        java.net.InetAddress.getLoopbackAddress().getHostName()
            + ":"
            + ProcessHandle.current().pid()
            + ":"
            + Ids.random().substring(0, 8);
    AcquireResponseProto answer = nameNode.acquire(holder);
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(answer.getMillis() + 2000);
    while (!answer.hasLease()) {
      if (System.nanoTime() - end > 0) {
        throw new RefusedException(
            "another coordinator ("
                + answer.getHolder()
                + ") is at work on this cluster: wait until it has finished");
      }
      Waiting.pause(200);
      answer = nameNode.acquire(holder);
    }
    return new LeaseKeeper(nameNode, answer);
  }

  private void renew() {
    try {
      if (!nameNode.renew(lease)) {
        LOG.warn("the coordinator's lease is lost; what it still tries to change will be refused");
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("the coordinator's lease could not be renewed: {}", e.getMessage());
    }
  }

  String id() {
    return lease;
  }

  @Override
  public void close() {
    renewer.shutdownNow();
    try {
      nameNode.release(lease);
    } catch (IOException e) {
      LOG.info("the lease was not released, it will expire: {}", e.getMessage());
    }
  }
}
