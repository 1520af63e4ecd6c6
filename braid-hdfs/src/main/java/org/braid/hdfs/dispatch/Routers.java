package org.braid.hdfs.dispatch;

import java.io.IOException;
import java.net.URI;
import java.util.Collection;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.ipc.RemoteException;
import org.braid.hdfs.api.RefusedException;

/**
 * Routers of HDFS's federation. They answer HDFS's calls for several NameNodes, and none of
 * Braid's.
 */
public final class Routers {
  private Routers() {}

  /**
   * Refuses a file system that is a router.
   *
   * @throws RefusedException when it is one; says what to use instead
   */
  public static void refuse(DistributedFileSystem hdfs, URI uri, Configuration conf)
      throws RefusedException {
    if (isRouter(hdfs)) {
      throw new RefusedException(refusal(uri, NameServices.besides(uri, conf).values()));
    }
  }

  /** Whether a call is refused that every NameNode answers, and no router can for several. */
  private static boolean isRouter(DistributedFileSystem hdfs) {
    try {
      var unused = hdfs.getClient().getNamenode().getDataEncryptionKey();
      return false;
    } catch (RemoteException e) {
      return UnsupportedOperationException.class.getName().equals(e.getClassName());
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Why a command does not go through a router.
   *
   * @param nameNodes what the configuration knows besides it
   */
  static String refusal(URI uri, Collection<URI> nameNodes) {
    String instead =
        nameNodes.isEmpty()
            ? "-fs and the NameNode that has the files"
            : nameNodes.stream().map(other -> "-fs " + other).collect(Collectors.joining(" or "));
    return ("%s is a router, commands go to a NameNode: give %s, with paths as they are there"
            + " (hdfs dfsrouteradmin -ls tells)")
        .formatted(uri, instead);
  }
}
