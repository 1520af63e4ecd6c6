package org.braid.hdfs.namenode.stripes;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.braid.hdfs.namenode.files.FileView;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.namenode.stripes.StripeIndex.Entry;
import org.braid.hdfs.namenode.stripes.StripeReader.Held;
import org.braid.hdfs.namenode.writes.OpenWrites;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.Stripe;
import org.braid.hdfs.stripe.UnsupportedStripeException;

/**
 * Checks whether surplus replicas of a stripe may be dropped: the stripe is verified, every block
 * is as recorded with a good replica at its home, and the homes keep the promised tolerance. Runs
 * under the NameNode's lock.
 */
final class StripeCheck {
  private final NameNodeHost host;
  private final OpenWrites writes;

  StripeCheck(NameNodeHost host, OpenWrites writes) {
    this.host = host;
    this.writes = writes;
  }

  /** Whether each member is the block that was encoded, and belongs to a file. */
  boolean isWhole(Entry entry) throws IOException {
    for (Member member : entry.stripe().members()) {
      if (!member.isVirtual() && StripeReader.held(host, member).isEmpty()) {
        return false;
      }
    }
    return true;
  }

  /** Whether a snapshot, or a writer that may have died, keeps replicas of a data block. */
  boolean isHeld(Entry entry) throws IOException {
    for (Member member : entry.stripe().members()) {
      Optional<Held> held = StripeReader.held(host, member);
      if (held.isPresent()
          && held.get().file().getId() != entry.inode()
          && (held.get().file().isUnderConstruction() || isInSnapshot(held.get()))) {
        return true;
      }
    }
    return false;
  }

  private boolean isInSnapshot(Held held) throws IOException {
    return FileView.heldBySnapshot(host.namesystem().getFSDirectory(), held.file());
  }

  /** The reasons against dropping surplus replicas; empty if there are none. */
  List<String> refusals(Entry entry) throws IOException {
    Stripe stripe = entry.stripe();
    List<String> refusals = new ArrayList<>();
    String name = "stripe " + stripe.id() + " (" + stripe.recordedCode().name() + ")";
    DeletionPlan.against(host.blocks()).ifPresent(why -> refusals.add(name + ": " + why));
    if (!stripe.verified()) {
      refusals.add(name + ": parity is not verified");
    }
    int k;
    try {
      k = stripe.code().k();
    } catch (UnsupportedStripeException e) {
      refusals.add(name + ": " + e.getMessage());
      return refusals;
    }
    for (int i = 0; i < stripe.members().size(); i++) {
      Member member = stripe.member(i);
      if (!member.isVirtual()) {
        Optional<String> refusal = member(member, i >= k ? Optional.of(entry) : Optional.empty());
        if (refusal.isPresent()) {
          String of =
              StripeReader.held(host, member)
                  .map(held -> " of " + held.file().getFullPathName())
                  .orElse("");
          refusals.add(name + ", member " + i + of + ": " + refusal.get());
        }
      }
    }
    if (refusals.isEmpty()) {
      homes(name, stripe, refusals);
    }
    return refusals;
  }

  private Optional<String> member(Member member, Optional<Entry> parityOf) throws IOException {
    Optional<Held> held = StripeReader.held(host, member);
    if (held.isPresent()
        && parityOf.isPresent()
        && held.get().file().getId() != parityOf.get().inode()) {
      return Optional.of(
          "blk_%d is not in the parity file %s"
              .formatted(member.block().id(), parityOf.get().path()));
    }
    Optional<MemberCheck.Block> block =
        held.isPresent() ? Optional.of(block(held.get(), parityOf.isPresent())) : Optional.empty();
    return MemberCheck.refusal(member, block, name(member.home()), ReplicaView.suspectAfter(host));
  }

  private MemberCheck.Block block(Held held, boolean parity) throws IOException {
    return new MemberCheck.Block(
        held.block().isComplete()
            && !held.file().isUnderConstruction()
            && !writes.contains(held.file().getId()),
        !parity && isInSnapshot(held),
        ReplicaView.of(host.blocks(), held.block()).stream().map(this::copy).toList());
  }

  private MemberCheck.Copy copy(ReplicaView replica) {
    DatanodeDescriptor node = replica.node();
    return new MemberCheck.Copy(
        replica.uuid(),
        node.getHostName(),
        replica.corrupt(),
        replica.excess(),
        replica.alive(),
        state(node),
        replica.stale(),
        replica.silence(),
        replica.suspect(host));
  }

  private static Optional<String> state(DatanodeDescriptor node) {
    if (ReplicaView.inService(node)) {
      return Optional.empty();
    }
    return Optional.of(node.isDisallowed() ? "Not Allowed" : node.getAdminState().toString());
  }

  private void homes(String name, Stripe stripe, List<String> refusals) {
    try {
      Map<Integer, String> breaches = StripeHomes.of(host, stripe, List.of()).breaches();
      breaches.replaceAll(
          (member, breach) -> {
            String home = stripe.member(member).home();
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
