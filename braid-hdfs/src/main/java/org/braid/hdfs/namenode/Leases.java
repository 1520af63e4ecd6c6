package org.braid.hdfs.namenode;

import java.io.IOException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The one lease by which a coordinator may change things: 15 s, renewable, lost when it expires or
 * when the NameNode restarts or fails over.
 */
final class Leases {
  static final long MILLIS = 15_000;

  private record Lease(String id, String holder, long expiry) {}

  /** What a coordinator is answered: the lease, or who holds it. */
  record Answer(@Nullable String lease, String holder) {}

  private final LongSupplier clock;
  private final SecureRandom random = new SecureRandom();
  private @Nullable Lease lease;

  /**
   * No lease is given yet.
   *
   * @param clock milliseconds that never run backwards
   */
  Leases(LongSupplier clock) {
    this.clock = clock;
  }

  /** Gives the lease if it is free or has expired. */
  synchronized Answer acquire(String holder) {
    Lease present = lease;
    if (present != null && valid(present)) {
      return new Answer(null, present.holder);
    }
    byte[] id = new byte[16];
    random.nextBytes(id);
    Lease given = new Lease(HexFormat.of().formatHex(id), holder, clock.getAsLong() + MILLIS);
    lease = given;
    return new Answer(given.id, holder);
  }

  /** Extends a lease; false when it is not held any more. An expired lease stays expired. */
  synchronized boolean renew(String id) {
    Lease present = lease;
    if (present == null || !present.id.equals(id) || !valid(present)) {
      return false;
    }
    lease = new Lease(id, present.holder, clock.getAsLong() + MILLIS);
    return true;
  }

  /** Gives a lease back; a lease that is not held any more is ignored. */
  synchronized void release(String id) {
    if (lease != null && lease.id.equals(id)) {
      lease = null;
    }
  }

  /** Refuses a change by anybody but the holder. */
  synchronized void check(String id) throws IOException {
    Lease present = lease;
    if (present != null && valid(present) && present.id.equals(id)) {
      return;
    }
    String taken = present != null && valid(present) ? " or was taken by " + present.holder : "";
    throw new IOException(
        "the coordinator's lease has expired" + taken + ": run the command again");
  }

  private boolean valid(Lease held) {
    return clock.getAsLong() < held.expiry;
  }
}
