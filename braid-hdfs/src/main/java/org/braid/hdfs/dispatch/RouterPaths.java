package org.braid.hdfs.dispatch;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.dispatch.MountTable.Place;
import org.braid.hdfs.rpc.Rpc;

/**
 * Finds the NameNode of paths that are given as clients of a router see them. Refuses paths that
 * are spread over several places or whose place is not certain.
 */
final class RouterPaths {
  /** Mounts that a refusal names. */
  private static final int NAMED = 3;

  private static final String INSTEAD = "; give -fs and the path as it is in the NameNode";

  private static final String UNSEEN =
      "they have just changed, or this user may not see all of them" + INSTEAD;

  private static final String ELSEWHERE =
      "they have just changed, this user may not see all of them, or the configuration has another"
          + " cluster's name service by this name"
          + INSTEAD;

  private final URI router;
  private final Map<String, URI> services;
  private final MountTable mounts;
  private final Holders holders;
  private final Listing listing;

  /** The name services in which a router finds a path. */
  interface Holders {
    List<String> of(String path) throws IOException;
  }

  /**
   * The listing of a router, which shows all mounts, also those that its administration leaves out.
   */
  interface Listing {
    /** The entries of a directory with mounts at or below them. */
    List<String> mountsIn(String path) throws IOException;
  }

  /**
   * The place of some paths.
   *
   * @param paths the paths in the NameNode, in the order in which they were given
   */
  record Located(URI nameNode, List<String> paths) {}

  /**
   * Creates a finder of paths.
   *
   * @param services the name services of the configuration besides the router
   */
  RouterPaths(
      URI router, Map<String, URI> services, MountTable mounts, Holders holders, Listing listing) {
    this.router = router;
    this.services = services;
    this.mounts = mounts;
    this.holders = holders;
    this.listing = listing;
  }

  /**
   * Finds the only NameNode of all of the paths and all files below them.
   *
   * @param paths at least one
   * @throws RefusedException when there is none, or it is not certain
   */
  Located locate(List<String> paths) throws RefusedException {
    Set<URI> nameNodes = new LinkedHashSet<>();
    List<Place> places = new ArrayList<>();
    for (String path : paths) {
      Place place = place(path);
      nameNodes.add(nameNode(path, place));
      places.add(place);
    }
    if (nameNodes.size() > 1) {
      throw new RefusedException(
          "the paths are in several name services (%s): give those of one at a time"
              .formatted(addresses(places)));
    }
    return new Located(nameNodes.iterator().next(), places.stream().map(Place::path).toList());
  }

  private Place place(String path) throws RefusedException {
    List<String> below = mounts.below(path);
    if (!below.isEmpty()) {
      throw new RefusedException(
          "%s has mounts below it (%s), which may be in any name service: give one of them%s"
              .formatted(
                  at(path),
                  first(below),
                  services.isEmpty() ? "" : ", or " + Routers.choice(services.values())));
    }
    List<Place> mounted = mounts.of(path);
    if (mounted.size() > 1) {
      throw new RefusedException(
          "%s is spread over %d places: give one at a time, %s"
              .formatted(at(path), mounted.size(), addresses(mounted)));
    }
    List<String> found;
    try {
      found = holders.of(path);
    } catch (IOException e) {
      throw new RefusedException(
          "the router does not tell where %s is: %s".formatted(at(path), Rpc.reason(e)), e);
    }
    if (found.size() != 1) {
      throw new RefusedException(
          "the router finds %s in %d name services (%s), and it is to be in one"
              .formatted(at(path), found.size(), String.join(", ", found)));
    }
    // What no mount has is in the router's default name service, at the same path.
    Place place = mounted.isEmpty() ? new Place(found.get(0), path) : mounted.get(0);
    if (!found.get(0).equals(place.service())) {
      throw new RefusedException(
          "the router finds %s in the name service %s, and its mounts lead to %s: %s"
              .formatted(at(path), found.get(0), place.service(), UNSEEN));
    }
    refuseUnseen(path);
    return place;
  }

  private static String first(List<String> mounts) {
    return String.join(", ", mounts.subList(0, Math.min(NAMED, mounts.size())))
        + (mounts.size() > NAMED ? ", ..." : "");
  }

  /** Refuses a directory with mounts below it that the administration does not list. */
  private void refuseUnseen(String path) throws RefusedException {
    List<String> unseen;
    try {
      unseen = listing.mountsIn(path);
    } catch (IOException e) {
      throw new RefusedException(
          ("the router does not list %s, which may have mounts below it that this user may not see:"
                  + " %s")
              .formatted(at(path), Rpc.reason(e)),
          e);
    }
    if (!unseen.isEmpty()) {
      throw new RefusedException(
          "%s has mounts below it (at %s or deeper) that the router's administration leaves out: %s"
              .formatted(at(path), first(unseen), UNSEEN));
    }
  }

  private URI nameNode(String path, Place place) throws RefusedException {
    URI known = services.get(place.service());
    if (known == null) {
      throw new RefusedException(
          ("%1$s is %2$s in the name service %3$s, which the configuration does not have:"
                  + " dfs.nameservices must name %3$s, and dfs.namenode.rpc-address.%3$s its"
                  + " NameNode (of several, dfs.ha.namenodes.%3$s and an address of each)")
              .formatted(at(path), place.path(), place.service()));
    }
    return known;
  }

  /**
   * Checks that two paths lead to the same file or directory, by its inode and modification time.
   * Inodes alone do not suffice: all clusters number them from the same first one, that of the
   * root. As users may change a directory concurrently, the NameNode's answer must lie between the
   * router's answers before and after it.
   *
   * @param before the router's answer for the given path
   * @param located the NameNode's answer for its path
   * @param after the router's later answer
   * @throws FileNotFoundException when there is none
   * @throws RefusedException when they differ
   */
  static void check(Found before, Found located, Found after) throws IOException {
    Mark first = before.mark();
    Mark there = located.mark();
    Mark last = after.mark();
    boolean numbered = first.number() == there.number() && there.number() == last.number();
    boolean timed = first.modified() <= there.modified() && there.modified() <= last.modified();
    if (!numbered || !timed) {
      throw new RefusedException(
          "%s is not %s, where the router's mounts lead: %s"
              .formatted(before.path(), located.path(), ELSEWHERE));
    }
  }

  /**
   * The identity of a file or directory.
   *
   * @param number the inode in its name service
   * @param modified when it was last modified, in milliseconds
   */
  record Mark(long number, long modified) {}

  /** A path and the identity of its file or directory; empty when there is none. */
  record Found(String path, Optional<Mark> entry) {
    Mark mark() throws FileNotFoundException {
      return entry.orElseThrow(() -> new FileNotFoundException(path + " does not exist"));
    }
  }

  private String at(String path) {
    return NameServices.of(router.getAuthority()) + path;
  }

  private String addresses(List<Place> places) {
    return places.stream()
        .map(
            place -> {
              URI known = services.get(place.service());
              return known == null
                  ? place.path() + " in name service " + place.service()
                  : known + place.path();
            })
        .collect(Collectors.joining(" and "));
  }
}
