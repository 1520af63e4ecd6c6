package org.braid.hdfs.namenode.lease;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The paths below which the holder of a lease changes files and stripes. Two commands may work at
 * the same time if no path of one is a path of the other or below it.
 *
 * <p>The scope separates coordinators and is no permission: the holder of a lease is a superuser,
 * and the promises of stripes decide on its requests, not its paths. A holder also works outside of
 * its paths. It repairs, describes and trims stripes that it has claimed, whose other blocks belong
 * to files elsewhere. The leading holder rebuilds blocks that are lost elsewhere. And a file that a
 * holder has begun to convert may be renamed out of its paths before its replication is persisted.
 *
 * @param paths absolute, without a slash at the end; {@code /} is all of the cluster
 */
public record LeaseScope(Set<String> paths) {
  /** All of the cluster. */
  public static final LeaseScope ALL = new LeaseScope(Set.of("/"));

  /**
   * Maximum number of paths; a command with more gets the whole cluster, because comparing paths
   * takes time of a handler.
   */
  static final int MOST_PATHS = 100;

  /** Maximum total length of the paths in bytes. */
  static final int MOST_LENGTH = 16 << 10;

  /** The scope of a request; all of the cluster if it names no paths, too many or unusual ones. */
  public static LeaseScope of(List<String> paths) {
    if (paths.isEmpty()
        || paths.size() > MOST_PATHS
        || paths.stream().mapToLong(String::length).sum() > MOST_LENGTH) {
      return ALL;
    }
    Set<String> normal = new TreeSet<>();
    for (String path : paths) {
      if (!isPlain(path)) {
        return ALL;
      }
      normal.add(path);
    }
    return new LeaseScope(normal);
  }

  /** Others, like {@code /.reserved/.inodes/7}, name what is elsewhere, too. */
  private static boolean isPlain(String path) {
    return path.startsWith("/")
        && !path.startsWith("/.reserved")
        && !(path.endsWith("/") || path.contains("//"))
        && !(path + "/").contains("/./")
        && !(path + "/").contains("/../");
  }

  /** Whether it is all of the cluster. */
  public boolean isAll() {
    return paths.contains("/");
  }

  /** Whether both contain some file. */
  public boolean overlaps(LeaseScope other) {
    return isAll() || other.isAll() || isBelow(other) || other.isBelow(this);
  }

  /** Whether some path is one of the other's paths, or below it. */
  private boolean isBelow(LeaseScope other) {
    for (String path : paths) {
      for (int end = path.length(); end > 0; end = path.lastIndexOf('/', end - 1)) {
        if (other.paths.contains(path.substring(0, end))) {
          return true;
        }
      }
    }
    return false;
  }
}
