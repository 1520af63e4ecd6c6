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
 * Decides which NameNode has paths that are given as clients of a router see them. What is spread
 * over several places, or not known for certain, is refused.
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

  /** The name services where a router finds a path. */
  interface Holders {
    List<String> of(String path) throws IOException;
  }

  /** What a router lists: it shows all mounts, also those that its administration leaves out. */
  interface Listing {
    /** Entries of a directory at which or below which mounts are. */
    List<String> mountsIn(String path) throws IOException;
  }

  /**
   * Where paths are.
   *
   * @param paths as the NameNode has them, in the order in which they were given
   */
  record Located(URI nameNode, List<String> paths) {}

  /**
   * A decision.
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
   * Finds the NameNode that alone has all of the paths, and all that is below them.
   *
   * @param paths at least one
   * @throws RefusedException when there is none, or it is not known for certain
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

  /** Refuses a directory with mounts below it of which the administration says nothing. */
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
   * Checks that two paths lead to the same file or directory. All clusters number from the same
   * number on, which is that of the root, so that the time of the last change must agree, too.
   * Users may change a directory meanwhile: what the NameNode says lies between what the router
   * says before and after.
   *
   * @param before what the router finds at the path as it was given
   * @param located what the NameNode finds at the path as it is there
   * @param after what the router finds after that
   * @throws FileNotFoundException when there is none
   * @throws RefusedException when they are not the same
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
   * By what a file or directory is known again.
   *
   * @param number in its name service
   * @param modified when it was last modified, in milliseconds
   */
  record Mark(long number, long modified) {}

  /** A path, and what is there; empty when nothing is. */
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
