package org.braid.hdfs.dispatch;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The mounts of a router that a user may see. */
final class MountTable {
  private static final String ROOT = "/";

  private final TreeMap<String, List<Place>> mounts;

  /** A path of a name service. */
  record Place(String service, String path) {}

  /**
   * A table.
   *
   * @param mounts by path in the router, the directories that it stands for
   */
  MountTable(Map<String, List<Place>> mounts) {
    this.mounts = new TreeMap<>(mounts);
  }

  /** The mounts below a path, without the one at the path itself. */
  List<String> below(String path) {
    return mounts.keySet().stream()
        .filter(mount -> !mount.equals(path) && isWithin(mount, path))
        .toList();
  }

  /** The places of a path, by its deepest mount; empty when no mount contains it. */
  List<Place> of(String path) {
    for (Map.Entry<String, List<Place>> mount : mounts.descendingMap().entrySet()) {
      // Of the mounts that have a path the longest is the last in order.
      if (isWithin(path, mount.getKey())) {
        String rest = path.substring(mount.getKey().equals(ROOT) ? 0 : mount.getKey().length());
        return mount.getValue().stream()
            .map(place -> new Place(place.service(), joined(place.path(), rest)))
            .toList();
      }
    }
    return List.of();
  }

  private static boolean isWithin(String path, String directory) {
    return directory.equals(ROOT) || path.equals(directory) || path.startsWith(directory + ROOT);
  }

  private static String joined(String directory, String rest) {
    String below = rest.equals(ROOT) ? "" : rest;
    return below.isEmpty() ? directory : (directory.equals(ROOT) ? "" : directory) + below;
  }
}
