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
   * Asks for the lease; the answer has it, or says who does.
   *
   * @param standby whether the holder need not give way
   * @param keepMillis for how long the place in the queue is to be kept
   * @param paths below which things will be changed; none: all of the cluster
   */
  AcquireResponseProto acquire(
      String holder, boolean standby, long keepMillis, Collection<String> paths) throws IOException;

  /** The same by one that the holder is to give way to, and that asks once for all. */
  default AcquireResponseProto acquire(String holder) throws IOException {
    return acquire(holder, false, 0, List.of());
  }

  /**
   * Renews a lease; false when it is lost.
   *
   * @param doing how far the holder is with its work; empty when that is not known
   */
  boolean renew(String lease, Optional<WorkProto> doing) throws IOException;

  /** The same by one that says nothing of its work. */
  default boolean renew(String lease) throws IOException {
    return renew(lease, Optional.empty());
  }

  /**
   * Gives a lease back.
   *
   * @param returns whether it is asked for again: readers wait on
   */
  void release(String lease, boolean returns) throws IOException;

  /** The same by one that does not ask again. */
  default void release(String lease) throws IOException {
    release(lease, false);
  }
}
