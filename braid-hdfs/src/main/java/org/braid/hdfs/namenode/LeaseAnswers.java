package org.braid.hdfs.namenode;

import java.io.IOException;
import java.util.Optional;
import org.braid.hdfs.namenode.lease.LeaseScope;
import org.braid.hdfs.namenode.lease.Leases;
import org.braid.hdfs.proto.BraidProtos.AcquireRequestProto;
import org.braid.hdfs.proto.BraidProtos.AcquireResponseProto;
import org.braid.hdfs.proto.BraidProtos.ClaimRequestProto;
import org.braid.hdfs.proto.BraidProtos.ClaimResponseProto;
import org.braid.hdfs.proto.BraidProtos.RenewRequestProto;
import org.braid.hdfs.proto.BraidProtos.RenewResponseProto;
import org.braid.hdfs.proto.BraidProtos.WorkProto;
import org.braid.hdfs.rpc.BraidPaths;

/** Answers coordinators' requests for leases from {@link Leases}. */
final class LeaseAnswers {
  private LeaseAnswers() {}

  static AcquireResponseProto acquire(Leases leases, AcquireRequestProto request) {
    // Daemons of earlier releases do not say that they stand by.
    boolean standby =
        request.hasStandby() ? request.getStandby() : request.getHolder().startsWith(Leases.DAEMON);
    LeaseScope scope = LeaseScope.of(request.getPathsList());
    Leases.Answer answer =
        leases.acquire(request.getHolder(), standby, request.getKeepMillis(), scope);
    AcquireResponseProto.Builder response =
        AcquireResponseProto.newBuilder()
            .setHolder(answer.holder())
            .setMillis(Leases.MILLIS)
            .setShared(!scope.isAll());
    if (answer.lease() != null) {
      response.setLease(answer.lease());
    }
    return response.build();
  }

  static RenewResponseProto renew(Leases leases, RenewRequestProto request) {
    RenewResponseProto.Builder response =
        RenewResponseProto.newBuilder().setHeld(leases.renew(request.getLease(), doing(request)));
    leases.waiting().ifPresent(response::setWaiting);
    return response.build();
  }

  private static Optional<Leases.Doing> doing(RenewRequestProto request) {
    WorkProto work = request.getDoing();
    return request.hasDoing()
        ? Optional.of(
            new Leases.Doing(
                work.getPhase(), work.getDone(), work.getTotal(), work.getPhaseMillis()))
        : Optional.empty();
  }

  static ClaimResponseProto claim(Leases leases, ClaimRequestProto request) throws IOException {
    String stripe = BraidPaths.checkedId(request.getStripeId());
    ClaimResponseProto.Builder response = ClaimResponseProto.newBuilder();
    if (request.getRelease()) {
      // Coordinators of earlier releases have no claims that they do not mean.
      leases.unclaim(
          request.getLease(), stripe, request.hasNumber() ? request.getNumber() : Long.MAX_VALUE);
    } else {
      leases.claim(request.getLease(), stripe, request.getNumber()).ifPresent(response::setHolder);
    }
    return response.build();
  }
}
