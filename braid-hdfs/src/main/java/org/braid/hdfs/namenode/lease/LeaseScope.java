package org.braid.hdfs.namenode.lease;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The paths below which the holder of a lease changes things. Two commands may work at once if no
 * path of one is a path of the other or below it.
 *
 * <p>It keeps coordinators out of each other's way and is no right: whoever holds a lease is a
 * superuser, and what it asks for is decided by the promises of stripes and not by paths. A holder
 * changes things outside of its paths, too. It repairs, describes and trims stripes that it has
 * claimed, whose other blocks are those of files elsewhere. The one that leads rebuilds what is
 * lost elsewhere. And a file that it has begun to convert may be renamed to elsewhere before its
 * replication is persisted.
 *
 * @param paths absolute, without a slash at the end; {@code /} is all of the cluster
 */
public record LeaseScope(Set<String> paths) {
  /** All of the cluster. */
  public static final LeaseScope ALL = new LeaseScope(Set.of("/"));

  /** A command that names more paths gets all of the cluster: comparing them takes a handler. */
  static final int MOST_PATHS = 100;

  /** So many bytes of paths at most. */
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
