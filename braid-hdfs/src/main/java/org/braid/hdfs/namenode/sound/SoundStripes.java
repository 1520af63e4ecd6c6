package org.braid.hdfs.namenode.sound;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.hadoop.fs.StorageType;
import org.braid.code.ErasureCode;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.Namespace;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.namenode.host.StorageView;
import org.braid.hdfs.namenode.sound.SoundNodes.Seen;
import org.braid.hdfs.namenode.stripes.StripeIndex.Entry;
import org.braid.hdfs.namenode.stripes.StripeReader;
import org.braid.hdfs.namenode.stripes.StripeReader.Held;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.Stripe;
import org.braid.hdfs.stripe.StripePromise;
import org.braid.placement.rule.StripeRule;

/**
 * Finds the stripes that are certainly sound: each block has exactly one replica, which is good, at
 * its home, where the stripe's rule allows it, and on a node that the caller reaches. Other stripes
 * may be sound, too. Used for one page.
 */
public final class SoundStripes {
  private final NameNodeHost host;
  private final Seen nodes;
  private final Map<Ruled, StripeRule> rules = new HashMap<>();

  /** Types of storage by the files whose policies want them. */
  private final Map<Long, StorageType> wanted = new HashMap<>();

  /** Stripes that have the same rule. */
  private record Ruled(ErasureCode code, StripePromise promise) {}

  public SoundStripes(NameNodeHost host, Seen nodes) {
    this.host = host;
    this.nodes = nodes;
  }

  /** Whether a stripe is certainly sound; under the namesystem's lock. */
  public boolean isSound(Entry entry) throws IOException {
    return isWellPlaced(entry.stripe()) && isAtHome(entry, held -> true);
  }

  /** Whether a stripe is sound when all its blocks are at home; takes no lock. */
  boolean isWellPlaced(Stripe stripe) {
    if (!stripe.isSupported()) {
      return false;
    }
    int[] places = new int[stripe.size()];
    Arrays.fill(places, StripeRule.NOWHERE);
    List<Integer> claims = new ArrayList<>();
    for (int i = 0; i < places.length; i++) {
      if (!stripe.isVirtual(i)) {
        places[i] = nodes.place(stripe.member(i).home());
        if (places[i] < 0) {
          return false;
        }
        claims.add(i);
      }
    }
    try {
      StripeRule rule =
          rules.computeIfAbsent(
              new Ruled(stripe.code(), stripe.promise()), unused -> stripe.rule(nodes.topology()));
      return rule.breaches(nodes.topology(), places, claims).isEmpty();
    } catch (IllegalArgumentException e) {
      return false; // whoever asks for all of it hears why
    }
  }

  /**
   * Whether all blocks of a stripe are at home, on the types of storage that the policies of their
   * files want; under the namesystem's lock.
   */
  boolean isAtHomeAsWanted(Entry entry) throws IOException {
    return isAtHome(
        entry,
        held ->
            ReplicaView.isOn(
                held.block(),
                wanted.computeIfAbsent(
                    held.file().getId(), id -> StorageView.typeFor(host, held.file()))));
  }

  /** Whether all blocks of a stripe are at home and pass a test; under the namesystem's lock. */
  private boolean isAtHome(Entry entry, Predicate<Held> passes) throws IOException {
    boolean snapshots = host.namesystem().getSnapshotManager().getNumSnapshots() > 0;
    long present = -1;
    for (Member member : entry.stripe().members()) {
      if (member.isVirtual()) {
        continue;
      }
      Optional<Held> held = StripeReader.held(host, member);
      if (held.isEmpty()
          || !held.get().block().isComplete()
          || held.get().block().getReplication() != 1
          || !ReplicaView.isOnlyAt(host.blocks(), held.get().block(), member.home())
          || !passes.test(held.get())) {
        return false;
      }
      if (snapshots && held.get().isCutOff()) {
        return false;
      }
      if (snapshots && held.get().file().getId() != present) {
        present = held.get().file().getId();
        if (Namespace.pathTo(host.namesystem().getFSDirectory(), held.get().file()).isEmpty()) {
          return false;
        }
      }
    }
    return true;
  }
}
