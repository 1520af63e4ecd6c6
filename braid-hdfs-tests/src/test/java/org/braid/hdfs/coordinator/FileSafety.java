package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.braid.hdfs.coordinator.session.NameNodeCalls;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.hdfs.stripe.StripeStatus;

/**
 * Whether each block of a file is as safe as the weaker of before and after: replicas in two racks,
 * or all members of a verified stripe on nodes of their own and within the rack limit.
 */
final class FileSafety {
  private final ClusterFixture fixture;

  FileSafety(ClusterFixture fixture) {
    this.fixture = fixture;
  }

  /** Asserts it for every block of a file. */
  void assertTolerant(String path) throws IOException {
    Map<Long, StripeStatus> stripeOf = new HashMap<>();
    for (StripeStatus status : fixture.stripes()) {
      if (status.stripe().verified() && whole(status)) {
        status.stripe().blockIds().forEach(id -> stripeOf.put(id, status));
      }
    }
    for (StoredFile file : fixture.files(path)) {
      for (BlockStatus block : file.blocks()) {
        Set<String> racks = new HashSet<>();
        block.replicas().stream()
            .filter(r -> r.live())
            .forEach(r -> racks.add(fixture.rack(r.node())));
        assertTrue(
            racks.size() >= 2 || stripeOf.containsKey(block.block().id()),
            () ->
                file.path()
                    + ": blk_"
                    + block.block().id()
                    + " is neither replicated nor encoded: "
                    + story(block));
      }
    }
  }

  /**
   * Whether live copies of all members can be chosen on nodes of their own, within the limit, but
   * for those that have copies in several racks: a rack, or a node, takes none of these.
   */
  boolean whole(StripeStatus status) {
    List<List<String>> copies = new ArrayList<>();
    for (int i = 0; i < status.members().size(); i++) {
      if (!status.stripe().isVirtual(i)) {
        List<String> nodes =
            status.member(i).status().replicas().stream()
                .filter(r -> r.live())
                .map(r -> r.node())
                .toList();
        if (nodes.stream().map(fixture::rack).distinct().count() < 2) {
          copies.add(nodes);
        }
      }
    }
    return chosen(copies, new ArrayList<>(), status.stripe().promise().perRack());
  }

  private boolean chosen(List<List<String>> copies, List<String> nodes, int perRack) {
    if (nodes.size() == copies.size()) {
      return true;
    }
    for (String node : copies.get(nodes.size())) {
      long inRack = nodes.stream().filter(n -> fixture.rack(n).equals(fixture.rack(node))).count();
      if (!nodes.contains(node) && inRack < perRack) {
        nodes.add(node);
        if (chosen(copies, nodes, perRack)) {
          return true;
        }
        nodes.remove(nodes.size() - 1);
      }
    }
    return false;
  }

  /** Where the members of a block's stripe should be and are. */
  String story(BlockStatus block) {
    StringBuilder text = new StringBuilder();
    try (NameNodeCalls calls = fixture.calls()) {
      for (StripeStatus status : calls.stripesOf(List.of(block.block().id()))) {
        for (int i = 0; i < status.members().size(); i++) {
          text.append("\n").append(i).append(" home ");
          text.append(name(status.stripe().member(i).home())).append(", at");
          status.member(i).status().replicas().stream()
              .map(r -> " " + name(r.node()) + (r.live() ? "" : " (not live)"))
              .forEach(text::append);
          text.append(", going");
          status.member(i).status().going().forEach(g -> text.append(' ').append(name(g)));
        }
      }
    } catch (IOException e) {
      text.append(e);
    }
    return text.toString();
  }

  private String name(String uuid) {
    OptionalInt index = fixture.hdfs.indexOf(uuid);
    return index.isPresent() ? fixture.hdfs.nodeName(index.getAsInt()) : uuid;
  }
}
