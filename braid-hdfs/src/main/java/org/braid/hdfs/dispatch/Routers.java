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
 * Detects routers of HDFS's federation, which answer HDFS's calls for several NameNodes, but not
 * Braid's.
 */
public final class Routers {
  /** Hadoop's deprecated name of {@code fs.defaultFS}. */
  private static final String OLD_DEFAULT_NAME_KEY = "fs.default.name";

  /** The inode of an entry that is from no NameNode. */
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

  /**
   * Whether the server refuses a call that every NameNode answers and a router cannot answer for
   * several.
   */
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
   * Finds the only NameNode behind a router that has some paths and all files below them. The
   * mounts, the router's own search for the path, its listing, and the inode and modification time
   * of the path must agree. They disagree when a user may not see all mounts, when these have just
   * changed, or when the configuration has another cluster's name service of the same name.
   *
   * @param connection leads to the router
   * @param paths as clients of the router see them, at least one
   * @throws RefusedException when there is none, or it is not certain
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
    /** The entries after a name; null when there is no such directory. */
    @Nullable DirectoryListing after(byte[] entry) throws IOException;
  }

  /**
   * The entries of a directory with mounts at or below them, at most one page. A router shows the
   * first component of each mount's path instead of the NameNode's entry, to all users, and without
   * an inode.
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
   * @param nameNodes the other file systems of the configuration
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
