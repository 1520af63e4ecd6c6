package org.braid.hdfs.client;

import java.io.Closeable;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.braid.hdfs.client.degraded.StripeLookup;
import org.braid.hdfs.stripe.StripeStatus;

/** The NameNodes of one file system, asked about its stripes. */
interface StripeSource extends Closeable {
  /** Whether they do not know Braid, as far as their last answers tell. */
  boolean absent();

  /**
   * What they say to a user whom they let not call Braid, as by a service ACL; empty where they
   * have not said so.
   */
  String refusal();

  /**
   * The stripes that hold blocks of a file; none where Braid is absent.
   *
   * @param path a file that the caller may read and that owns the blocks
   */
  List<StripeStatus> stripes(String path, List<Long> blockIds) throws IOException;

  /**
   * The cluster, a minute old at most; empty where Braid is absent.
   *
   * @param uuids of nodes that are read from, which are told of as they were a second ago at most
   */
  StripeLookup.Cluster cluster(Collection<String> uuids) throws IOException;

  @Override
  void close();
}
