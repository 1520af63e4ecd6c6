package org.braid.hdfs.coordinator.session;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.MemberStatus;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.time.Ticker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes parity of blocks that are replicated again, once their copies are on disk. */
public final class ParitySweep {
  private static final Logger LOG = LoggerFactory.getLogger(ParitySweep.class);

  /** Others that are at work on stripes are waited for so long in all. */
  private static final long MOST_WAIT_MILLIS = 10_000;

  private final Session session;

  public ParitySweep(Session session) {
    this.session = session;
  }

  /**
   * What was swept.
   *
   * @param deleted the number of paths
   * @param left stripes whose blocks are replicated and at which others are at work still
   */
  public record Swept(int deleted, List<StripeStatus> left) {
    public Swept {
      left = List.copyOf(left);
    }
  }

  /**
   * Sweeps what nobody needs, and the parity of those of some stripes whose data blocks are all
   * replicated, in a later stripe, or gone. Those at which others are at work are looked at again
   * when these have ended.
   */
  public Swept sweep(Collection<StripeStatus> stripes) throws IOException {
    Set<String> ready = ready(present(stripes));
    int deleted = session.nameNode().sweep(session.lease(), ready);
    List<StripeStatus> named =
        stripes.stream().filter(status -> ready.contains(status.stripe().id())).toList();
    List<StripeStatus> left = new ArrayList<>();
    long end = Ticker.SYSTEM.millis() + MOST_WAIT_MILLIS;
    for (StripeStatus status : present(named)) {
      if (!isReplicated(status)) {
        continue;
      }
      String id = status.stripe().id();
      Optional<Claims.Claim> claim =
          session.claims().take(id, Math.max(0, end - Ticker.SYSTEM.millis()));
      if (claim.isEmpty()) {
        LOG.warn("parity of stripe {} stays for now: others are at work on the stripe", id);
        left.add(status);
        continue;
      }
      try (Claims.Claim unused = claim.get()) {
        List<StripeStatus> again = present(List.of(status));
        if (again.stream().anyMatch(ParitySweep::isReplicated) && !ready(again).isEmpty()) {
          deleted += session.nameNode().sweepClaimed(session.lease(), id);
        }
      }
    }
    return new Swept(deleted, left);
  }

  /** Those of some stripes that are there still, as they are now. */
  private List<StripeStatus> present(Collection<StripeStatus> stripes) throws IOException {
    if (stripes.isEmpty()) {
      return List.of();
    }
    List<StripeStatus> now =
        session
            .nameNode()
            .stripesOf(
                stripes.stream().flatMap(status -> status.stripe().blockIds().stream()).toList());
    Set<String> asked =
        stripes.stream().map(status -> status.stripe().id()).collect(Collectors.toSet());
    return now.stream().filter(status -> asked.contains(status.stripe().id())).toList();
  }

  /** Whether all its data blocks that are not gone are replicated, or in a later stripe. */
  private static boolean isReplicated(StripeStatus status) {
    return status.stripe().isSupported()
        && status.members().subList(0, status.stripe().code().k()).stream()
            .allMatch(
                member ->
                    member.gone()
                        || member.reencoded()
                        || (member.status().expected() > 1 && !member.oneInSnapshots()));
  }

  /** Those of which the copies of replicated blocks are on disk. */
  private Set<String> ready(List<StripeStatus> present) throws IOException {
    List<BlockStatus> replicated = new ArrayList<>();
    present.forEach(status -> replicated.addAll(replicated(status)));
    DiskCopies copies = DiskCopies.force(session.workers(), session.cluster().recent(), replicated);
    Set<String> ids = new LinkedHashSet<>();
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
    return ids;
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
