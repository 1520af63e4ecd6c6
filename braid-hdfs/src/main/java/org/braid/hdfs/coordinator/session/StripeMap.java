package org.braid.hdfs.coordinator.session;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.Replica;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.hdfs.stripe.Stripe;
import org.braid.hdfs.stripe.StripeStatus;
import org.jspecify.annotations.Nullable;

/** The stripes that hold blocks of some files, found by id and by block. */
public final class StripeMap {
  /** Replicas of a block that has no parity. */
  private static final int LEAST = 2;

  private final Map<String, StripeStatus> byId = new LinkedHashMap<>();
  private final Map<Long, StripeStatus> byBlock = new HashMap<>();

  private StripeMap() {}

  /** Reads the stripes of some files. */
  public static StripeMap of(NameNodeCalls nameNode, Collection<StoredFile> files)
      throws IOException {
    List<Long> ids = new ArrayList<>();
    files.forEach(f -> f.blocks().forEach(b -> ids.add(b.block().id())));
    return of(nameNode.stripesOf(ids));
  }

  /** Indexes stripes; a block that changed since its encoding has none. */
  public static StripeMap of(Collection<StripeStatus> stripes) {
    StripeMap map = new StripeMap();
    for (StripeStatus status : stripes) {
      Stripe stripe = status.stripe();
      map.byId.put(stripe.id(), status);
      for (int i = 0; i < stripe.members().size(); i++) {
        if (!stripe.isVirtual(i) && !status.member(i).gone()) {
          // Of two stripes the later one holds a block: it was made because of the other's state.
          map.byBlock.merge(
              stripe.member(i).block().id(),
              status,
              (one, other) -> one.parityInode() > other.parityInode() ? one : other);
        }
      }
    }
    return map;
  }

  /** The same without stripes that lost data blocks, whose other blocks are to be encoded anew. */
  public StripeMap whole() {
    return of(byId.values().stream().filter(status -> !status.isThinned()).toList());
  }

  /**
   * The replication that a file had before any of its blocks was encoded, at least its present one.
   */
  public int originalReplication(StoredFile file) {
    int replication = file.replication();
    for (BlockStatus block : file.blocks()) {
      StripeStatus status = of(block);
      if (status != null) {
        for (Member member : status.stripe().members()) {
          if (member.isBlock(block.block().id())) {
            replication = Math.max(replication, member.replication());
          }
        }
      }
    }
    return replication;
  }

  /**
   * The replication for a file whose blocks get no new parity: its original one, and at least two
   * if stripes contain its blocks, which would otherwise rely on their parity for ever.
   */
  public int replicationWithoutParity(StoredFile file) {
    int original = originalReplication(file);
    return file.blocks().stream().anyMatch(this::holds) ? Math.max(LEAST, original) : original;
  }

  /**
   * The replication for a file that policies restore: its present one if users set it to two or
   * more since the conversion, else its original one.
   */
  public int replicationAsUsersWant(StoredFile file) {
    return file.replication() == 1 ? originalReplication(file) : file.replication();
  }

  /**
   * Whether restoring a file again would change nothing: it has all replicas that it had, or that
   * users have since asked for, and the stripes of its blocks exist only for other files or for
   * snapshots; or it never had more than one replica.
   */
  public boolean isRestored(StoredFile file) {
    if (file.replication() == 1) {
      return originalReplication(file) == 1;
    }
    return file.blocks().stream().allMatch(block -> isRestored(block, file.replication()));
  }

  private boolean isRestored(BlockStatus block, int replication) {
    StripeStatus status = of(block);
    return status == null
        || (status.isNeeded()
            && block.expected() >= replication
            && block.replicas().stream().filter(Replica::isGood).count() >= replication);
  }

  /** The stripe of a block; null when it is in none. */
  public @Nullable StripeStatus of(BlockStatus block) {
    return byBlock.get(block.block().id());
  }

  public boolean holds(BlockStatus block) {
    return byBlock.containsKey(block.block().id());
  }

  /** All stripes, in the order they were found. */
  public Collection<StripeStatus> all() {
    return byId.values();
  }

  /** The ids of all stripes, in the order they were found. */
  public List<String> ids() {
    return List.copyOf(byId.keySet());
  }
}
