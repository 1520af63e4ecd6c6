package org.braid.hdfs.dispatch;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.ipc.RemoteException;
import org.braid.hdfs.api.Connection;
import org.braid.hdfs.api.RefusedException;
import org.jspecify.annotations.Nullable;

/**
 * Routers of HDFS's federation. They answer HDFS's calls for several NameNodes, and none of
 * Braid's.
 */
public final class Routers {
  /** What Hadoop takes for {@code fs.defaultFS}, too. */
  private static final String OLD_DEFAULT_NAME_KEY = "fs.default.name";

  /** The number of an entry that no NameNode has told. */
  private static final long NO_NUMBER = 0;

  private Routers() {}

  /**
   * Refuses a file system that is a router.
   *
   * @throws RefusedException when it is one; says what to use instead
   */
  public static void refuse(DistributedFileSystem hdfs, URI uri, Configuration conf)
      throws RefusedException {
    if (isRouter(hdfs)) {
      throw RefusedException.ofRouter(refusal(uri, NameServices.besides(uri, conf).values()));
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
   * Finds the NameNode behind a router that alone has some paths with all that is below them.
   * Mounts, the router's own search for the path, its listing, and the number of what is there and
   * the time of its last change must agree: they do not where a user may not see all mounts, these
   * have just changed, or the configuration has another cluster's name service by the same name.
   *
   * @param connection leads to the router
   * @param paths as clients of the router see them, at least one
   * @throws RefusedException when there is none, or it is not known for certain
   */
  public static Connection.Behind behind(Connection connection, List<String> paths)
      throws IOException {
    Configuration conf = Connections.configuration(connection);
    URI uri = FileSystem.getDefaultUri(conf);
    Map<String, URI> services = NameServices.besides(uri, conf);
    try (DistributedFileSystem router = Connections.open(conf);
        RouterAdmin admin = admin(uri, conf, services)) {
      RouterPaths.Listing listing =
          path -> mountsIn(after -> router.getClient().listPaths(path, after));
      RouterPaths.Located located =
          new RouterPaths(uri, services, admin.mounts(), admin::holders, listing).locate(paths);
      Connection there = to(located.nameNode(), connection);
      try (DistributedFileSystem nameNode = Connections.open(Connections.configuration(there))) {
        for (int i = 0; i < paths.size(); i++) {
          RouterPaths.check(
              found(router, uri, paths.get(i)),
              found(nameNode, located.nameNode(), located.paths().get(i)),
              found(router, uri, paths.get(i)));
        }
      }
      return new Connection.Behind(there, located.paths());
    }
  }

  /** The pages of a router's listing of a directory. */
  @FunctionalInterface
  interface Pages {
    /** What follows an entry; null where there is no such directory. */
    @Nullable DirectoryListing after(byte[] entry) throws IOException;
  }

  /**
   * The entries of a directory at which or below which mounts are, those of one page at most. A
   * router shows the first part of each mount's path in the place of what the NameNode has there,
   * whoever may read the mount, and knows no number for it.
   */
  static List<String> mountsIn(Pages pages) throws IOException {
    byte[] after = HdfsFileStatus.EMPTY_NAME;
    while (true) {
      DirectoryListing page;
      try {
        page = pages.after(after);
      } catch (FileNotFoundException e) {
        return List.of();
      }
      if (page == null) {
        return List.of();
      }
      List<String> mounts =
          Stream.of(page.getPartialListing())
              .filter(entry -> entry.getFileId() == NO_NUMBER)
              .map(HdfsFileStatus::getLocalName)
              .toList();
      if (!mounts.isEmpty() || !page.hasMore()) {
        return mounts;
      }
      after = page.getLastName();
    }
  }

  private static RouterAdmin admin(URI uri, Configuration conf, Map<String, URI> services)
      throws RefusedException {
    try {
      return RouterAdmin.connect(uri, conf);
    } catch (IOException e) {
      throw new RefusedException(refusal(uri, services.values()) + "; " + e.getMessage(), e);
    }
  }

  private static Connection to(URI nameNode, Connection connection) {
    Map<String, String> properties = new HashMap<>(connection.properties());
    properties.remove(FileSystem.FS_DEFAULT_NAME_KEY); // would win
    properties.remove(OLD_DEFAULT_NAME_KEY);
    return new Connection(
        Optional.of(nameNode.toString()), connection.configurations(), properties);
  }

  private static RouterPaths.Found found(DistributedFileSystem hdfs, URI uri, String path)
      throws IOException {
    HdfsFileStatus status = hdfs.getClient().getFileInfo(path);
    return new RouterPaths.Found(
        NameServices.of(uri.getAuthority()) + path,
        status == null
            ? Optional.empty()
            : Optional.of(new RouterPaths.Mark(status.getFileId(), status.getModificationTime())));
  }

  /**
   * Why a command does not go through a router.
   *
   * @param nameNodes what the configuration knows besides it
   */
  static String refusal(URI uri, Collection<URI> nameNodes) {
    String instead =
        nameNodes.isEmpty() ? "-fs and the NameNode that has the files" : choice(nameNodes);
    return ("%s is a router, commands go to a NameNode: give %s, with paths as they are there"
            + " (hdfs dfsrouteradmin -ls tells)")
        .formatted(uri, instead);
  }

  /** The options that name each of the NameNodes. */
  static String choice(Collection<URI> nameNodes) {
    return nameNodes.stream().map(other -> "-fs " + other).collect(Collectors.joining(" or "));
  }
}
