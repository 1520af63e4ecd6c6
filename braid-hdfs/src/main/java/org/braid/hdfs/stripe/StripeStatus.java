package org.braid.hdfs.stripe;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A published stripe and what the NameNode knows of its blocks now.
 *
 * @param parityPath where its parity file stands
 * @param parityInode of that file
 * @param members by position, as many as the stripe has
 */
public record StripeStatus(
    Stripe stripe, String parityPath, long parityInode, List<MemberStatus> members) {
  public StripeStatus {
    members = List.copyOf(members);
  }

  /** The same without the names of files that have its blocks. */
  public StripeStatus withoutNames() {
    return new StripeStatus(
        stripe, parityPath, parityInode, members.stream().map(MemberStatus::withoutName).toList());
  }

  /** The member at a position, 0 to n-1. */
  public MemberStatus member(int position) {
    return members.get(position);
  }

  /** The data blocks that no other stripe protects: those that are there and in no later one. */
  public List<MemberStatus> data() {
    return members.subList(0, stripe.code().k()).stream()
        .filter(member -> !member.gone() && !member.reencoded())
        .toList();
  }

  /**
   * Types of storage that a worker is told for another replica of a block, the best first; empty
   * where all of the stripe's files have the ordinary policy, which workers know.
   */
  public List<String> storageTypes(int position) {
    return policies().equals(Set.of(StoragePolicy.HOT))
        ? List.of()
        : List.copyOf(typesOfReplicas(position));
  }

  /**
   * Types of storage for another replica of a block, the best first: those of its file's policy.
   * Where the files' policies differ, as one was changed after encoding, those of the others are
   * better than no replica.
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
   * Whether data blocks were deleted or changed since encoding while others are still there: these
   * are less safe than promised.
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
   * Whether a data block relies on the parity: it is in no later stripe, and is to have one copy,
   * or several only as long as the NameNode remembers it, because its file or a snapshot of it asks
   * for one.
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
   * Whether there is something to say of the stripe that its files do not say: nothing needs it,
   * only snapshots have a file of it, or this version of Braid cannot use it.
   */
  public boolean isNotable() {
    return !stripe.isSupported()
        || !isNeeded()
        || members.stream().anyMatch(MemberStatus::onlyInSnapshots);
  }

  /**
   * Whether parity protects nothing: every data block that is left has several copies, as users
   * want it to in snapshots, too, or is in a later stripe.
   */
  public boolean isReplicated() {
    return stripe.isSupported()
        && data().stream().allMatch(member -> member.isReplicated() && !member.oneInSnapshots());
  }

  /** The blocks of which there is one copy, and is to be one. */
  public List<BlockStatus> singles() {
    return members.stream()
        .filter(member -> !member.gone())
        .map(MemberStatus::status)
        .filter(block -> block.expected() == 1 && block.replicas().size() == 1)
        .toList();
  }
}
