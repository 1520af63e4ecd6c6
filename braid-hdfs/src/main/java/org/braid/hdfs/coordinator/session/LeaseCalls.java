package org.braid.hdfs.coordinator.session;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.braid.hdfs.proto.BraidProtos.AcquireResponseProto;
import org.braid.hdfs.proto.BraidProtos.WorkProto;

/** The NameNode's calls on the coordinator's lease. */
public interface LeaseCalls {
  /**
   * Asks for the lease; the answer contains it or names its holder.
   *
   * @param standby whether the holder need not give way
   * @param keepMillis how long to keep the place in the queue
   * @param paths the paths below which changes are made; none: the whole cluster
   */
  AcquireResponseProto acquire(
      String holder, boolean standby, long keepMillis, Collection<String> paths) throws IOException;

  /** Asks once for the lease of the whole cluster, as one that the holder gives way to. */
  default AcquireResponseProto acquire(String holder) throws IOException {
    return acquire(holder, false, 0, List.of());
  }

  /**
   * Renews a lease; false when it is lost.
   *
   * @param doing the progress of the holder; empty when unknown
   */
  boolean renew(String lease, Optional<WorkProto> doing) throws IOException;

  /** Renews a lease without progress. */
  default boolean renew(String lease) throws IOException {
    return renew(lease, Optional.empty());
  }

  /**
   * Releases a lease.
   *
   * @param returns whether the holder will ask again, so that readers keep waiting
   */
  void release(String lease, boolean returns) throws IOException;

  /** Releases a lease for good. */
  default void release(String lease) throws IOException {
    release(lease, false);
  }
}
