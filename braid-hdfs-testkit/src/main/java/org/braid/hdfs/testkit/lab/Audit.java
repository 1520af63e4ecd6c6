package org.braid.hdfs.testkit.lab;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.braid.hdfs.api.FsckReport;
import org.braid.hdfs.coordinator.session.NameNodeCalls;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.MemberStatus;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.hdfs.stripe.StripeStatus;

/**
 * Finds what is wrong when no failures are injected any more: blocks with fewer replicas than the
 * NameNode aims at, blocks with one replica that no whole stripe protects, stripes with missing
 * members, leftovers, and all findings of Braid's own check.
 */
final class Audit {
  private static final int MOST = 50;

  private final ClusterClients clients;
  private final List<String> problems = new ArrayList<>();

  /** Names of blocks that snapshots alone have: they are kept replicated where a stripe is thin. */
  private final Set<String> kept = new HashSet<>();

  private final Set<String> keptParity = new HashSet<>();

  private Audit(ClusterClients clients) {
    this.clients = clients;
  }

  static Answer.Audited of(String path, ClusterClients clients) throws IOException {
    return new Audit(clients).look(path);
  }

  private Answer.Audited look(String path) throws IOException {
    NameNodeCalls calls = new NameNodeCalls(clients.nameNode());
    FsckReport report = clients.braid().fsck("/");
    report.files().stream()
        .filter(FsckReport.FileState::onlyInSnapshots)
        .flatMap(file -> file.findings().stream())
        .forEach(finding -> kept.add(finding.name()));
    Map<Long, Boolean> wholeOf = new HashMap<>();
    List<StripeStatus> stripes = calls.stripes();
    for (StripeStatus status : stripes) {
      String lack = lack(status);
      if (!lack.isEmpty() && isKept(status)) {
        keptParity.add(status.parityPath());
      } else if (!lack.isEmpty()) {
        problems.add("stripe " + status.stripe().shortId() + ": " + lack);
      }
      boolean whole = lack.isEmpty() && status.stripe().verified();
      // A block may also be a member of the stripe that protected it before.
      status.stripe().blockIds().forEach(id -> wholeOf.merge(id, whole, Boolean::logicalOr));
    }
    long bytes = 0;
    int converted = 0;
    List<StoredFile> files = calls.files(path);
    for (StoredFile file : files) {
      bytes += file.length();
      converted +=
          file.blocks().stream().anyMatch(b -> wholeOf.containsKey(b.block().id())) ? 1 : 0;
      file.blocks().forEach(block -> look(file, block, wholeOf.getOrDefault(id(block), false)));
    }
    check(report);
    return new Answer.Audited(
        files.size(), bytes, converted, stripes.size(), problems.stream().limit(MOST).toList());
  }

  private static long id(BlockStatus block) {
    return block.block().id();
  }

  private static long live(BlockStatus block) {
    return block.replicas().stream()
        .filter(replica -> replica.live() && !replica.corrupt())
        .count();
  }

  private void look(StoredFile file, BlockStatus block, boolean protectedByStripe) {
    long live = live(block);
    String name = file.path() + ", " + block.block().name() + ": ";
    if (!block.complete()) {
      problems.add(name + "is being written");
    } else if (live < block.expected()) {
      problems.add(name + live + " live replicas of " + block.expected());
    } else if (live < 2 && !protectedByStripe) {
      problems.add(
          "%s%d live replica, file replication %d, in no whole stripe"
              .formatted(name, live, file.replication()));
    }
  }

  /** What a stripe lacks; empty when each member has a live copy on a node of its own. */
  private static String lack(StripeStatus status) {
    Set<String> nodes = new HashSet<>();
    for (int i = 0; i < status.members().size(); i++) {
      if (status.stripe().isVirtual(i)) {
        continue;
      }
      if (status.member(i).gone()) {
        return "member " + i + " was deleted or changed";
      }
      BlockStatus block = status.member(i).status();
      if (live(block) == 0) {
        return "member " + i + " has no live copy";
      }
      if (live(block) == 1) {
        String node =
            block.replicas().stream()
                .filter(replica -> replica.live() && !replica.corrupt())
                .findFirst()
                .orElseThrow()
                .node();
        if (!nodes.add(node)) {
          return "member " + i + " shares its node with another one";
        }
      }
    }
    return "";
  }

  /**
   * Whether all that is left of a stripe is replicated because a snapshot has a part of it, which
   * Braid cannot encode anew, or which may have one replica when the snapshot alone has it.
   */
  private boolean isKept(StripeStatus status) {
    List<MemberStatus> left = status.data();
    return left.stream()
            .anyMatch(
                member -> member.oneInSnapshots() || kept.contains(member.status().block().name()))
        && left.stream().allMatch(member -> live(member.status()) >= 2);
  }

  private void check(FsckReport report) {
    for (FsckReport.FileState file : report.files()) {
      for (FsckReport.BlockState finding : file.findings()) {
        if (keptParity.stream().anyMatch(path -> path.endsWith(finding.stripe()))) {
          continue;
        }
        problems.add(
            "fsck: %s, block %d (%s) is %s: %s"
                .formatted(
                    file.path(), finding.index(), finding.name(), finding.state(), finding.why()));
      }
    }
    report.orphans().stream()
        .filter(path -> !keptParity.contains(path))
        .forEach(path -> problems.add("fsck: leftover " + path));
  }
}
