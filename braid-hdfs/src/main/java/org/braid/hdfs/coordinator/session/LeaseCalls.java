package org.braid.hdfs.coordinator.session;

import java.io.IOException;
import org.braid.hdfs.proto.BraidProtos.AcquireResponseProto;

/** The NameNode's calls on the coordinator's lease. */
public interface LeaseCalls {
  /** Asks for the lease; the answer has it, or says who does. */
  AcquireResponseProto acquire(String holder) throws IOException;

  /** Renews a lease; false when it is lost. */
  boolean renew(String lease) throws IOException;

  /** Gives a lease back. */
  void release(String lease) throws IOException;
}
