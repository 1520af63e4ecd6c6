package org.braid.hdfs.stripe;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A published stripe with the NameNode's present knowledge of its blocks.
 *
 * @param parityPath path of its parity file
 * @param parityInode inode of that file
 * @param members members by position, as many as the stripe has
 */
public record StripeStatus(
    Stripe stripe, String parityPath, long parityInode, List<MemberStatus> members) {
  public StripeStatus {
    members = List.copyOf(members);
  }

  /** The status without the names of the blocks' files. */
  public StripeStatus withoutNames() {
    return new StripeStatus(
        stripe, parityPath, parityInode, members.stream().map(MemberStatus::withoutName).toList());
  }

  /** The member at a position, 0 to n-1. */
  public MemberStatus member(int position) {
    return members.get(position);
  }

  /** The existing data blocks that no later stripe protects. */
  public List<MemberStatus> data() {
    return members.subList(0, stripe.code().k()).stream()
        .filter(member -> !member.gone() && !member.reencoded())
        .toList();
  }

  /**
   * Storage types for another replica of a block, the best first, as a worker is told. Empty when
   * all of the stripe's files have the default policy, which workers know.
   */
  public List<String> storageTypes(int position) {
    return policies().equals(Set.of(StoragePolicy.HOT))
        ? List.of()
        : List.copyOf(typesOfReplicas(position));
  }

  /**
   * Storage types for another replica of a block, the best first, by its file's policy. If the
   * files' policies differ, because one was changed after encoding, the types of the other policies
   * follow: they are better than no replica.
   */
  public Set<String> typesOfReplicas(int position) {
    Set<String> types = new LinkedHashSet<>(member(position).storage().ofReplicas());
    policies().forEach(policy -> types.addAll(policy.ofReplicas()));
    return types;
  }

  private Set<StoragePolicy> policies() {
    Set<StoragePolicy> policies = new LinkedHashSet<>();
    for (MemberStatus member : members) {
      if (!member.gone()) {
        policies.add(member.storage());
      }
    }
    return policies;
  }

  /**
   * Whether data blocks were deleted or changed since encoding while others still exist, which are
   * less safe than promised.
   */
  public boolean isThinned() {
    return hasLostData() && hasData(false);
  }

  /** Whether data blocks were deleted or changed since encoding. */
  public boolean hasLostData() {
    return stripe.isSupported() && hasData(true);
  }

  /** Whether a data block that was encoded is gone, or one is there. */
  private boolean hasData(boolean gone) {
    return IntStream.range(0, stripe.code().k())
        .anyMatch(i -> !stripe.isVirtual(i) && members.get(i).gone() == gone);
  }

  /**
   * Whether a data block relies on the parity: it is in no later stripe, and its file, a snapshot
   * or the NameNode's memory wants one replica only.
   */
  public boolean isNeeded() {
    return !stripe.isSupported()
        || data().stream()
            .anyMatch(
                member ->
                    member.fileReplication() == 1
                        || member.oneInSnapshots()
                        || member.status().expected() == 1);
  }

  /**
   * Whether the stripe's state is worth reporting beyond that of its files: nothing needs the
   * stripe, only snapshots hold a block's file, or this version of Braid cannot use the stripe.
   */
  public boolean isNotable() {
    return !stripe.isSupported()
        || !isNeeded()
        || members.stream().anyMatch(MemberStatus::onlyInSnapshots);
  }

  /**
   * Whether the parity protects nothing: each remaining data block is in a later stripe, or has
   * several replicas, as its file and snapshots want.
   */
  public boolean isReplicated() {
    return stripe.isSupported()
        && data().stream().allMatch(member -> member.isReplicated() && !member.oneInSnapshots());
  }

  /** The blocks with one replica that aim at one. */
  public List<BlockStatus> singles() {
    return members.stream()
        .filter(member -> !member.gone())
        .map(MemberStatus::status)
        .filter(block -> block.expected() == 1 && block.replicas().size() == 1)
        .toList();
  }
}
