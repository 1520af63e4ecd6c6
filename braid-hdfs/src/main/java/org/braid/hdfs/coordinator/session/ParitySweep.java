package org.braid.hdfs.coordinator.session;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.braid.hdfs.api.ConvertReport.Skipped;
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

  private final Calls calls;

  /** What a sweep asks for and does. */
  interface Calls {
    List<StripeStatus> stripesOf(Collection<Long> blocks) throws IOException;

    /** See {@link NameNodeCalls#sweep}. */
    int sweep(Collection<String> replicated) throws IOException;

    /** See {@link NameNodeCalls#sweepClaimed}. */
    int sweepClaimed(String stripe) throws IOException;

    /** See {@link DiskCopies#force}. */
    DiskCopies force(List<BlockStatus> blocks) throws IOException;

    /** See {@link Claims#take(String, long)}. */
    Optional<Claims.Claim> claim(String stripe, long millis) throws IOException;
  }

  private record SessionCalls(Session session) implements Calls {
    @Override
    public List<StripeStatus> stripesOf(Collection<Long> blocks) throws IOException {
      return session.nameNode().stripesOf(blocks);
    }

    @Override
    public int sweep(Collection<String> replicated) throws IOException {
      return session.nameNode().sweep(session.lease(), replicated);
    }

    @Override
    public int sweepClaimed(String stripe) throws IOException {
      return session.nameNode().sweepClaimed(session.lease(), stripe);
    }

    @Override
    public DiskCopies force(List<BlockStatus> blocks) throws IOException {
      return DiskCopies.force(session.workers(), session.cluster().recent(), blocks);
    }

    @Override
    public Optional<Claims.Claim> claim(String stripe, long millis) throws IOException {
      return session.claims().take(stripe, millis);
    }
  }

  public ParitySweep(Session session) {
    this(new SessionCalls(session));
  }

  ParitySweep(Calls calls) {
    this.calls = calls;
  }

  /**
   * What was swept.
   *
   * @param deleted the number of paths
   * @param left stripes whose blocks are replicated and whose parity stays all the same
   */
  public record Swept(int deleted, List<Left> left) {
    public Swept {
      left = List.copyOf(left);
    }

    /** The parity files that stay, each with the reason. */
    public List<Skipped> parity() {
      return left.stream()
          .map(stays -> new Skipped(stays.stripe.parityPath(), stays.cause, stays.reason))
          .toList();
    }
  }

  /**
   * A stripe whose parity stays.
   *
   * @param cause {@code IN_USE}: others are at work on it; {@code NOT_ON_DISK}: copies are not on
   *     disk for sure; {@code KEPT}: the NameNode kept it
   * @param reason a part of a sentence, with numbers
   */
  public record Left(StripeStatus stripe, String cause, String reason) {}

  /**
   * Sweeps what nobody needs, and the parity of those of some stripes whose data blocks are all
   * replicated, in a later stripe, or gone. Those at which others are at work are looked at again
   * when these have ended.
   */
  public Swept sweep(Collection<StripeStatus> stripes) throws IOException {
    List<Left> left = new ArrayList<>();
    Set<String> ready = ready(present(stripes), left);
    int deleted = calls.sweep(ready);
    List<StripeStatus> named =
        stripes.stream().filter(status -> ready.contains(status.stripe().id())).toList();
    long end = Ticker.SYSTEM.millis() + MOST_WAIT_MILLIS;
    for (StripeStatus status : present(named)) {
      if (!isReplicated(status)) {
        continue;
      }
      String id = status.stripe().id();
      Optional<Claims.Claim> claim = calls.claim(id, Math.max(0, end - Ticker.SYSTEM.millis()));
      if (claim.isEmpty()) {
        LOG.warn("parity of stripe {} stays for now: others are at work on the stripe", id);
        left.add(new Left(status, "IN_USE", "another command is at work on the stripe"));
        continue;
      }
      try (Claims.Claim unused = claim.get()) {
        List<StripeStatus> again = present(List.of(status));
        if (again.stream().anyMatch(ParitySweep::isReplicated) && !ready(again, left).isEmpty()) {
          deleted += calls.sweepClaimed(id);
          if (present(again).stream().anyMatch(ParitySweep::isReplicated)) {
            LOG.warn("parity of stripe {} stays: the NameNode kept it", id);
            left.add(
                new Left(
                    status, "KEPT", "the NameNode counts too few live replicas of one of them"));
          }
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
        calls.stripesOf(
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

  /**
   * Those of which the copies of replicated blocks are on disk.
   *
   * @param left gets the others whose parity could go if they were
   */
  private Set<String> ready(List<StripeStatus> present, List<Left> left) throws IOException {
    List<BlockStatus> replicated = new ArrayList<>();
    present.forEach(status -> replicated.addAll(replicated(status)));
    DiskCopies copies = calls.force(replicated);
    Set<String> ids = new LinkedHashSet<>();
    for (StripeStatus status : present) {
      List<BlockStatus> lacking =
          replicated(status).stream().filter(block -> !copies.suffice(block)).toList();
      if (lacking.isEmpty()) {
        ids.add(status.stripe().id());
      } else {
        BlockStatus block = lacking.get(0);
        String reason =
            "of %s only %d copies are on disk for sure"
                .formatted(block.block().name(), copies.of(block));
        LOG.warn("parity of stripe {} stays: {}", status.stripe().id(), reason);
        if (isReplicated(status)) {
          left.add(new Left(status, "NOT_ON_DISK", reason));
        }
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
