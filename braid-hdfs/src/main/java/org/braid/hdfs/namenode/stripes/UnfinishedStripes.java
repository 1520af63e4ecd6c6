package org.braid.hdfs.namenode.stripes;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.Stripe;
import org.jspecify.annotations.Nullable;

/**
 * Stripes on their way from description to trimming. Look-ups take no lock; changes are made under
 * the lock of the index.
 */
final class UnfinishedStripes {
  /** Blocks of stripes that are described but not trimmed, by home. */
  private final Map<String, Set<Long>> awaitedAt = new ConcurrentHashMap<>();

  private final Map<String, Stripe> awaited = new ConcurrentHashMap<>();

  /** Stripes that were described in the staging directory and are about to be published. */
  private final Map<String, Staged> staged = new ConcurrentHashMap<>();

  private final Map<Long, String> stagedBlocks = new ConcurrentHashMap<>();

  /** A stripe and the parity file in the staging directory that describes it. */
  record Staged(String path, Stripe stripe) {}

  /** The home of each block is to keep its replica until the stripe is trimmed. */
  void await(Stripe stripe) {
    trimmed(stripe.id());
    awaited.put(stripe.id(), stripe);
    for (Member member : stripe.members()) {
      if (!member.isVirtual() && !member.home().isEmpty()) {
        awaitedAt
            .computeIfAbsent(member.home(), home -> ConcurrentHashMap.newKeySet())
            .add(member.block().id());
      }
    }
  }

  /** Nothing is awaited of a stripe any more: it is trimmed, or gone. */
  void trimmed(String id) {
    Stripe stripe = awaited.remove(id);
    if (stripe == null) {
      return;
    }
    for (Member member : stripe.members()) {
      Set<Long> blocks = member.isVirtual() ? null : awaitedAt.get(member.home());
      if (blocks != null) {
        blocks.remove(member.block().id());
      }
    }
  }

  /** The stripes that are described but not trimmed. */
  List<Stripe> awaited() {
    return List.copyOf(awaited.values());
  }

  boolean isAwaited(String id) {
    return awaited.containsKey(id);
  }

  Set<Long> awaitedAt(String uuid) {
    return awaitedAt.getOrDefault(uuid, Set.of());
  }

  void stage(String path, Stripe stripe) {
    staged.put(stripe.id(), new Staged(path, stripe));
    for (Member member : stripe.members()) {
      if (!member.isVirtual()) {
        stagedBlocks.put(member.block().id(), stripe.id());
      }
    }
  }

  /** A stripe is published, or will not be. */
  void unstage(String id) {
    Staged gone = staged.remove(id);
    if (gone != null) {
      for (Member member : gone.stripe.members()) {
        if (!member.isVirtual()) {
          stagedBlocks.remove(member.block().id(), id);
        }
      }
    }
  }

  /** The staged stripe that a block belongs to. */
  @Nullable String stagedWith(long block) {
    return stagedBlocks.get(block);
  }

  Map<String, Staged> staged() {
    return Map.copyOf(staged);
  }
}
