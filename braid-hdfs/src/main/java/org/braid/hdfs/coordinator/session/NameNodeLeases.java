package org.braid.hdfs.coordinator.session;

import java.io.IOException;
import java.util.Collection;
import java.util.Optional;
import org.braid.hdfs.dispatch.NameNodeLink;
import org.braid.hdfs.proto.BraidProtos.AcquireRequestProto;
import org.braid.hdfs.proto.BraidProtos.AcquireResponseProto;
import org.braid.hdfs.proto.BraidProtos.ClaimRequestProto;
import org.braid.hdfs.proto.BraidProtos.ClaimResponseProto;
import org.braid.hdfs.proto.BraidProtos.DemandsRequestProto;
import org.braid.hdfs.proto.BraidProtos.DemandsResponseProto;
import org.braid.hdfs.proto.BraidProtos.ReleaseRequestProto;
import org.braid.hdfs.proto.BraidProtos.RenewRequestProto;
import org.braid.hdfs.proto.BraidProtos.WorkProto;

/**
 * The NameNode's calls on leases, claims and demands. Idempotent calls are repeated when the answer
 * is lost, for example in a failover. A lease whose answer was lost expires. Thread-safe.
 */
public final class NameNodeLeases implements LeaseCalls {
  private final NameNodeLink link;

  NameNodeLeases(NameNodeLink link) {
    this.link = link;
  }

  @Override
  public AcquireResponseProto acquire(
      String holder, boolean standby, long keepMillis, Collection<String> paths)
      throws IOException {
    AcquireRequestProto request =
        AcquireRequestProto.newBuilder()
            .setHolder(holder)
            .setStandby(standby)
            .setKeepMillis((int) keepMillis)
            .addAllPaths(paths)
            .build();
    return link.ask(stub -> () -> stub.acquire(null, request));
  }

  @Override
  public boolean renew(String lease, Optional<WorkProto> doing) throws IOException {
    RenewRequestProto.Builder request = RenewRequestProto.newBuilder().setLease(lease);
    doing.ifPresent(request::setDoing);
    return link.tell(stub -> () -> stub.renew(null, request.build())).getHeld();
  }

  /**
   * Claims a stripe for a change that takes several calls.
   *
   * @param number the number of the claim: higher than that of every earlier claim under the lease
   * @return empty when it is granted; else the holder of the lease that has it
   */
  public Optional<String> claim(String lease, String stripe, long number) throws IOException {
    ClaimRequestProto request = claimOf(lease, stripe, number).build();
    ClaimResponseProto answer = link.ask(stub -> () -> stub.claim(null, request));
    return answer.hasHolder() ? Optional.of(answer.getHolder()) : Optional.empty();
  }

  /** Releases a claim, but none that was made after it. */
  public void unclaim(String lease, String stripe, long number) throws IOException {
    // Not repeated: NameNodes of earlier releases give later claims back, too.
    ClaimRequestProto request = claimOf(lease, stripe, number).setRelease(true).build();
    link.tell(stub -> () -> stub.claim(null, request));
  }

  private static ClaimRequestProto.Builder claimOf(String lease, String stripe, long number) {
    return ClaimRequestProto.newBuilder().setLease(lease).setStripeId(stripe).setNumber(number);
  }

  /**
   * The lost blocks that readers wait for. The answer comes when there is one, or after a time-out.
   */
  public DemandsResponseProto demands(DemandsRequestProto request) throws IOException {
    return link.tell(stub -> () -> stub.demands(null, request));
  }

  @Override
  public void release(String lease, boolean returns) throws IOException {
    ReleaseRequestProto request =
        ReleaseRequestProto.newBuilder().setLease(lease).setReturns(returns).build();
    link.tell(stub -> () -> stub.release(null, request));
  }
}
