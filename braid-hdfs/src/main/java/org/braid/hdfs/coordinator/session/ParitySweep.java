package org.braid.hdfs.coordinator.session;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.MemberStatus;
import org.braid.hdfs.stripe.StripeStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes parity of blocks that are replicated again, once their copies are on disk. */
public final class ParitySweep {
  private static final Logger LOG = LoggerFactory.getLogger(ParitySweep.class);

  private final Session session;

  public ParitySweep(Session session) {
    this.session = session;
  }

  /**
   * Sweeps what nobody needs, and the parity of those of some stripes whose data blocks are all
   * replicated, in a later stripe, or gone.
   *
   * @return the number of paths deleted
   */
  public int sweep(Collection<StripeStatus> stripes) throws IOException {
    List<StripeStatus> now =
        session
            .nameNode()
            .stripesOf(
                stripes.stream().flatMap(status -> status.stripe().blockIds().stream()).toList());
    Set<String> asked =
        stripes.stream().map(status -> status.stripe().id()).collect(Collectors.toSet());
    List<StripeStatus> present =
        now.stream().filter(status -> asked.contains(status.stripe().id())).toList();
    List<BlockStatus> replicated = new ArrayList<>();
    present.forEach(status -> replicated.addAll(replicated(status)));
    DiskCopies copies = DiskCopies.force(session.workers(), session.sight().lately(), replicated);
    List<String> ids = new ArrayList<>();
    for (StripeStatus status : present) {
      List<BlockStatus> lacking =
          replicated(status).stream().filter(block -> !copies.suffice(block)).toList();
      if (lacking.isEmpty()) {
        ids.add(status.stripe().id());
      } else {
        LOG.warn(
            "parity of stripe {} stays: of {} only {} copies are on disk for sure",
            status.stripe().id(),
            lacking.get(0).block().name(),
            copies.of(lacking.get(0)));
      }
    }
    return session.nameNode().sweep(session.lease(), ids);
  }

  private static List<BlockStatus> replicated(StripeStatus status) {
    if (!status.stripe().isSupported()) {
      return List.of();
    }
    return status.members().subList(0, status.stripe().code().k()).stream()
        .filter(member -> !member.gone())
        .map(MemberStatus::status)
        .filter(block -> block.expected() > 1)
        .toList();
  }
}
