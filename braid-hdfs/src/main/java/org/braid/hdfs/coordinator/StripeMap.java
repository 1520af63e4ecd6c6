package org.braid.hdfs.coordinator;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.braid.hdfs.proto.BraidProtos.BlockStatusProto;
import org.braid.hdfs.proto.BraidProtos.FileProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.hdfs.proto.BraidProtos.StripeStatusProto;
import org.jspecify.annotations.Nullable;

/** The stripes that hold blocks of some files, found by id and by block. */
final class StripeMap {
  private final Map<String, StripeStatusProto> byId = new LinkedHashMap<>();
  private final Map<Long, StripeStatusProto> byBlock = new HashMap<>();

  private StripeMap() {}

  /** Asks for the stripes of some files. */
  static StripeMap of(NameNodeCalls nameNode, Collection<FileProto> files) throws IOException {
    List<Long> ids = new ArrayList<>();
    files.forEach(f -> f.getBlocksList().forEach(b -> ids.add(b.getBlock().getId())));
    return of(nameNode.stripesOf(ids));
  }

  /** Indexes stripes; a block that is not any more what was encoded has none. */
  static StripeMap of(Collection<StripeStatusProto> stripes) {
    StripeMap map = new StripeMap();
    for (StripeStatusProto status : stripes) {
      StripeProto stripe = status.getStripe();
      map.byId.put(stripe.getId(), status);
      for (int i = 0; i < stripe.getMembersCount(); i++) {
        if (!Stripes.isVirtual(stripe, i) && !status.getMembers(i).getGone()) {
          map.byBlock.put(stripe.getMembers(i).getBlock().getId(), status);
        }
      }
    }
    return map;
  }

  /** The stripe of a block, null when it is in none. */
  @Nullable StripeStatusProto of(BlockStatusProto block) {
    return byBlock.get(block.getBlock().getId());
  }

  boolean holds(BlockStatusProto block) {
    return byBlock.containsKey(block.getBlock().getId());
  }

  /** All stripes, in the order they were found. */
  Collection<StripeStatusProto> all() {
    return byId.values();
  }

  /** The ids of all stripes, in the order they were found. */
  List<String> ids() {
    return List.copyOf(byId.keySet());
  }

  /** Bytes of all parity. */
  long parityBytes() {
    long bytes = 0;
    for (StripeStatusProto status : byId.values()) {
      StripeProto stripe = status.getStripe();
      for (int i = Stripes.code(stripe).k(); i < stripe.getMembersCount(); i++) {
        bytes += stripe.getMembers(i).getBlock().getLength();
      }
    }
    return bytes;
  }

  /** Bytes of all replicas of some files and of all parity. */
  long storedBytes(Collection<FileProto> files) {
    long bytes = parityBytes();
    for (FileProto file : files) {
      for (BlockStatusProto block : file.getBlocksList()) {
        bytes += block.getBlock().getLength() * block.getReplicasCount();
      }
    }
    return bytes;
  }
}
