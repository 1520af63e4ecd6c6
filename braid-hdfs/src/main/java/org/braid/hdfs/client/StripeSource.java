package org.braid.hdfs.client;

import java.io.Closeable;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.braid.hdfs.client.degraded.StripeLookup;
import org.braid.hdfs.stripe.StripeStatus;

/** The NameNodes of one file system, which answer questions about its stripes. */
interface StripeSource extends Closeable {
  /** Whether they do not know Braid, by their last answers. */
  boolean absent();

  /**
   * Their message to a user who may not call Braid, for example by a service ACL; empty if there is
   * none.
   */
  String refusal();

  /**
   * The stripes that hold blocks of a file; empty if Braid is absent.
   *
   * @param path a file that the caller may read and that owns the blocks
   */
  List<StripeStatus> stripes(String path, List<Long> blockIds) throws IOException;

  /**
   * The cluster, at most a minute old; empty if Braid is absent.
   *
   * @param uuids nodes to read from, whose state is at most a second old
   */
  StripeLookup.Cluster cluster(Collection<String> uuids) throws IOException;

  @Override
  void close();
}
