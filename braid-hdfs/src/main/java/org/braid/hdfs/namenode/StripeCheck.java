package org.braid.hdfs.namenode;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.braid.hdfs.namenode.StripeIndex.Entry;
import org.braid.hdfs.namenode.StripeReader.Held;
import org.braid.hdfs.proto.BraidProtos.MemberProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.hdfs.rpc.StripeCode;
import org.jspecify.annotations.Nullable;

/**
 * Whether surplus replicas of a stripe may be dropped: it is verified, every block is as recorded
 * with a good copy at its home, and the homes keep the promised tolerance. Made under the
 * NameNode's lock.
 */
final class StripeCheck {
  private final NameNodeHost host;

  StripeCheck(NameNodeHost host) {
    this.host = host;
  }

  /** The reasons against it; none when surplus replicas may go. */
  List<String> refusals(Entry entry) throws IOException {
    StripeProto stripe = entry.stripe();
    List<String> refusals = new ArrayList<>();
    String name = "stripe " + stripe.getId() + " (" + StripeCode.name(stripe) + ")";
    if (!stripe.getVerified()) {
      refusals.add(name + ": parity is not verified");
    }
    int k;
    try {
      var code = StripeCode.of(stripe);
      k = code.k();
      if (code.n() != stripe.getMembersCount()) {
        refusals.add(name + ": has " + stripe.getMembersCount() + " members of " + code.n());
        return refusals;
      }
    } catch (IllegalArgumentException e) {
      refusals.add(name + ": " + e.getMessage());
      return refusals;
    }
    for (int i = 0; i < stripe.getMembersCount(); i++) {
      MemberProto member = stripe.getMembers(i);
      if (member.hasBlock()) {
        String refusal = member(member, i >= k ? entry : null);
        if (refusal != null) {
          refusals.add(name + ", member " + i + ": " + refusal);
        }
      } else if (i >= k) {
        refusals.add(name + ", member " + i + ": a parity without a block");
      }
    }
    if (refusals.isEmpty()) {
      homes(name, stripe, refusals);
    }
    return refusals;
  }

  private @Nullable String member(MemberProto member, @Nullable Entry parityOf) throws IOException {
    String block = "blk_" + member.getBlock().getId();
    Optional<Held> found = StripeReader.held(host, member);
    if (found.isEmpty()) {
      return block
          + " is gone or changed: recorded are generation %d and %d bytes"
              .formatted(member.getBlock().getGeneration(), member.getBlock().getLength());
    }
    Held held = found.get();
    if (!held.block().isComplete() || held.file().isUnderConstruction()) {
      return block + " is not complete: its file is open for writing";
    }
    if (parityOf != null && held.file().getId() != parityOf.inode()) {
      return block + " is not in the parity file " + parityOf.path();
    }
    if (parityOf == null
        && FileView.heldBySnapshot(
            host.namesystem().getFSDirectory(), held.file(), held.file().getFullPathName())) {
      return block + " is held by a snapshot at more than 1 replica";
    }
    List<ReplicaView> replicas = ReplicaView.of(host.blocks(), held.block());
    Optional<ReplicaView> home = ReplicaView.on(replicas, member.getHome());
    if (home.isEmpty()) {
      return "%s has %d replicas, none at its home %s"
          .formatted(block, replicas.size(), name(member.getHome()));
    }
    return replica(block, home.get(), replicas);
  }

  private @Nullable String replica(String block, ReplicaView home, List<ReplicaView> replicas) {
    String at = block + " at its home " + home.node().getHostName();
    if (home.corrupt()) {
      return at + " is corrupt";
    }
    if (home.excess()) {
      return at + " is scheduled for deletion";
    }
    if (!home.alive()) {
      return at + " is on a dead node or failed storage";
    }
    if (!home.node().isInService()) {
      return at + " is on a node in state " + home.node().getAdminState();
    }
    long stale = replicas.stream().filter(ReplicaView::stale).count();
    if (stale > 0) {
      return "%s: %d of %d replicas are on STALE storages, a full block report is awaited"
          .formatted(at, stale, replicas.size());
    }
    if (home.suspect(host)) {
      return "%s is on a node that is silent for %d ms, at most %d are allowed"
          .formatted(at, home.silence(), ReplicaView.suspectAfter(host));
    }
    return null;
  }

  private void homes(String name, StripeProto stripe, List<String> refusals) {
    try {
      Map<Integer, String> breaches = StripeHomes.of(host, stripe, List.of()).breaches();
      breaches.replaceAll(
          (member, breach) -> {
            String home = stripe.getMembers(member).getHome();
            return breach.replace(home, name(home));
          });
      new TreeSet<>(breaches.values())
          .forEach(breach -> refusals.add(name + ", by the homes of its blocks: " + breach));
    } catch (IllegalArgumentException e) {
      refusals.add(name + ": " + e.getMessage());
    }
  }

  private String name(String uuid) {
    DatanodeDescriptor node = host.nodes().getDatanode(uuid);
    return node == null ? uuid : node.getHostName();
  }
}
