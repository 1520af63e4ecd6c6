package org.braid.hdfs.coordinator.session;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.MemberStatus;
import org.braid.hdfs.stripe.ReplicaChecksum;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.hdfs.stripe.StripeStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses the checksums, type and chunk size, of a new replica. All blocks of a file must have the
 * same, or HDFS computes no checksum of the file.
 */
final class Checksums {
  private static final Logger LOG = LoggerFactory.getLogger(Checksums.class);

  private final Session session;
  private final ClusterState state;
  private final Map<Integer, ReplicaChecksum> found = new ConcurrentHashMap<>();

  Checksums(Session session, ClusterState state) {
    this.session = session;
    this.state = state;
  }

  /**
   * The checksums of a stripe's block: as recorded, or of a replica, or of another block of its
   * file, or else HDFS's default.
   */
  ReplicaChecksum of(StripeStatus status, int position) {
    ReplicaChecksum recorded = status.stripe().member(position).checksum();
    if (recorded != null) {
      return recorded;
    }
    return found.computeIfAbsent(position, i -> find(status.member(i)));
  }

  private ReplicaChecksum find(MemberStatus member) {
    return of(member.status())
        .or(() -> ofFile(member))
        .orElse(new ReplicaChecksum(ReplicaChecksum.CRC32C, session.bytesPerChecksum()));
  }

  private Optional<ReplicaChecksum> ofFile(MemberStatus member) {
    try {
      for (StoredFile file : session.nameNode().files(member.path())) {
        if (file.inode() == member.inode()) {
          return file.blocks().stream().flatMap(block -> of(block).stream()).findFirst();
        }
      }
    } catch (IOException e) {
      LOG.warn("blocks of {}: {}", member.path(), e.getMessage());
    }
    return Optional.empty();
  }

  private Optional<ReplicaChecksum> of(BlockStatus block) {
    for (int node : state.readable(block)) {
      try {
        return Optional.of(session.workers().checksum(state.node(node), block.block()));
      } catch (IOException e) {
        LOG.warn("{} at {}: {}", block.block().name(), state.name(node), e.getMessage());
      }
    }
    return Optional.empty();
  }
}
