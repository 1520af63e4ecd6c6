package org.braid.hdfs.coordinator.convert;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.braid.hdfs.coordinator.convert.Grouper.Group;
import org.braid.hdfs.coordinator.session.StripeMap;
import org.braid.hdfs.stripe.StoredFile;

/**
 * Leaves files alone whose conversion would save no storage. A file is converted with all its
 * blocks. So files that share stripes, directly or through other files, are converted together or
 * not at all.
 */
final class GainFilter {
  private GainFilter() {}

  /** Files that are left alone together. */
  record Refusal(Set<String> paths, String reason) {}

  /**
   * The result of the filter.
   *
   * @param groups the groups to convert
   * @param refusals the files of the others
   */
  record Filtered(List<Group> groups, List<Refusal> refusals) {}

  /**
   * Filters groups. Keeps linked groups if they save storage, or if one of their files has a block
   * in a stripe already.
   *
   * @param parities of a stripe
   */
  static Filtered of(List<Group> groups, Grouper grouper, int parities, StripeMap stripes) {
    List<Group> kept = new ArrayList<>();
    List<Refusal> refusals = new ArrayList<>();
    for (List<Group> together : components(groups)) {
      Grouper.Gain gain = grouper.gain(together);
      if (gain.pays() || begun(together, stripes)) {
        kept.addAll(together);
        continue;
      }
      int blocks = together.stream().mapToInt(g -> g.blocks().size()).sum();
      refusals.add(
          new Refusal(
              together.stream()
                  .flatMap(g -> g.files().stream())
                  .map(StoredFile::path)
                  .collect(Collectors.toCollection(TreeSet::new)),
              String.format(
                  "%d blocks with %d parity blocks would take %d bytes, replicas take %d: convert"
                      + " more files together, or choose a code with fewer parities",
                  blocks, together.size() * parities, gain.encoded(), gain.replicated())));
    }
    return new Filtered(kept, refusals);
  }

  private static boolean begun(List<Group> groups, StripeMap stripes) {
    return groups.stream()
        .flatMap(g -> g.files().stream())
        .flatMap(f -> f.blocks().stream())
        .anyMatch(stripes::holds);
  }

  /** The connected components of groups that share files, in the order of their first groups. */
  private static Iterable<List<Group>> components(List<Group> groups) {
    Map<Long, Long> parent = new HashMap<>();
    for (Group group : groups) {
      long root = root(parent, group.blocks().get(0).file().inode());
      for (StoredFile file : group.files()) {
        parent.put(root(parent, file.inode()), root);
      }
    }
    Map<Long, List<Group>> components = new LinkedHashMap<>();
    for (Group group : groups) {
      long root = root(parent, group.blocks().get(0).file().inode());
      components.computeIfAbsent(root, r -> new ArrayList<>()).add(group);
    }
    return components.values();
  }

  private static long root(Map<Long, Long> parent, long inode) {
    long at = inode;
    while (parent.getOrDefault(at, at) != at) {
      long above = parent.getOrDefault(at, at);
      parent.put(at, parent.getOrDefault(above, above)); // halves the way for the next
      at = above;
    }
    return at;
  }
}
