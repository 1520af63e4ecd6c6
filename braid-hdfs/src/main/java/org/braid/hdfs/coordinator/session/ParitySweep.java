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
import org.braid.hdfs.stripe.Replica;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.time.Ticker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes parity of blocks that are replicated again, once their copies are on disk. */
public final class ParitySweep {
  private static final Logger LOG = LoggerFactory.getLogger(ParitySweep.class);

  /** Total time to wait for other coordinators and for block reports. */
  private static final long MOST_WAIT_MILLIS = 10_000;

  /** Total time to ask the NameNode again while it counts too few copies. */
  private static final long MOMENT_MILLIS = 3000;

  /** Pause between two checks whether DataNodes have reported. */
  private static final long LOOK_MILLIS = 500;

  private static final String TOO_FEW =
      "the NameNode counts too few live replicas of one of its blocks, or one of its files is open"
          + " for appending";

  private final Calls calls;
  private final Ticker ticker;

  /** The calls of a sweep. */
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

    /** See {@link Pins#unpin}. */
    void unpin(List<BlockStatus> blocks) throws IOException;
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
      ClusterState state = session.cluster().patiently(session.cluster().recent());
      return DiskCopies.force(session.workers(), state, blocks);
    }

    @Override
    public Optional<Claims.Claim> claim(String stripe, long millis) throws IOException {
      return session.claims().take(stripe, millis);
    }

    @Override
    public void unpin(List<BlockStatus> blocks) throws IOException {
      new Pins(session.workers()).unpin(session.cluster().recent(), blocks);
    }
  }

  public ParitySweep(Session session) {
    this(new SessionCalls(session), Ticker.SYSTEM);
  }

  ParitySweep(Calls calls, Ticker ticker) {
    this.calls = calls;
    this.ticker = ticker;
  }

  /**
   * The result of a sweep.
   *
   * @param deleted the number of paths
   * @param left stripes whose blocks are replicated and whose parity stays nevertheless
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
   * @param cause {@code IN_USE}: another coordinator works on it; {@code AWAITED}: it is deleted
   *     after block reports, or after nodes in service have copies; {@code NOT_ON_DISK}: copies may
   *     not be on disk; {@code KEPT}: the NameNode kept it
   * @param reason a part of a sentence, with numbers
   */
  public record Left(StripeStatus stripe, String cause, String reason) {}

  /**
   * Deletes parity that protects nothing, and the parity of those of some stripes whose data blocks
   * are all replicated, in a later stripe, or deleted. Waits for stripes that other coordinators
   * work on, and for block reports that the NameNode has requested. Unpins blocks that are no
   * longer in a stripe, so that HDFS may move them.
   */
  public Swept sweep(Collection<StripeStatus> stripes) throws IOException {
    List<Left> left = new ArrayList<>();
    Set<String> ready = ready(present(stripes), left);
    int deleted = calls.sweep(ready);
    List<StripeStatus> named =
        stripes.stream().filter(status -> ready.contains(status.stripe().id())).toList();
    long end = ticker.millis() + MOST_WAIT_MILLIS;
    List<StripeStatus> staying = replicated(present(named));
    if (owing(staying).isPresent()) {
      // The NameNode asked for the reports when the stripes were named; others may work meanwhile.
      staying = replicated(awaitReports(staying, end));
      // What is not ready any more is named below. To name what still waits has no use.
      List<StripeStatus> reported =
          staying.stream().filter(status -> unreported(status).isEmpty()).toList();
      if (!reported.isEmpty()) {
        deleted += calls.sweep(ready(reported, new ArrayList<>()));
        staying = replicated(present(staying));
      }
    }
    long moment = MOMENT_MILLIS;
    for (StripeStatus status : staying) {
      String id = status.stripe().id();
      Optional<String> unreported = unreported(status);
      if (unreported.isPresent()) {
        leave(status, "AWAITED", unreported.get(), left);
        continue;
      }
      Optional<Claims.Claim> claim = calls.claim(id, Math.max(0, end - ticker.millis()));
      if (claim.isEmpty()) {
        leave(status, "IN_USE", "another command is at work on the stripe", left);
        continue;
      }
      try (Claims.Claim unused = claim.get()) {
        List<StripeStatus> again = present(List.of(status));
        if (!replicated(again).isEmpty() && !ready(again, left).isEmpty()) {
          deleted += calls.sweepClaimed(id);
          List<StripeStatus> still = replicated(present(again));
          // The NameNode counts no copy on a node that is silent for a moment. A node that it does
          // not hear for long has copies of thousands: they do not wait one after the other.
          long since = ticker.millis();
          while (!still.isEmpty()
              && owed(still.get(0)).isEmpty()
              && ticker.millis() - since < moment) {
            Waiting.pause(LOOK_MILLIS, ticker);
            deleted += calls.sweepClaimed(id);
            still = replicated(present(again));
          }
          moment -= ticker.millis() - since;
          if (!still.isEmpty()) {
            Optional<String> owed = owed(still.get(0));
            leave(status, owed.isPresent() ? "AWAITED" : "KEPT", owed.orElse(TOO_FEW), left);
          }
        }
      }
    }
    if (deleted > 0) {
      unpin(stripes);
    }
    return new Swept(deleted, left);
  }

  /** Unpins those blocks of some stripes that are no longer in any stripe. */
  private void unpin(Collection<StripeStatus> stripes) throws IOException {
    List<BlockStatus> replicated =
        stripes.stream().flatMap(status -> replicated(status).stream()).toList();
    Set<Long> kept =
        calls.stripesOf(replicated.stream().map(block -> block.block().id()).toList()).stream()
            .flatMap(status -> status.stripe().blockIds().stream())
            .collect(Collectors.toSet());
    List<BlockStatus> free =
        replicated.stream().filter(block -> !kept.contains(block.block().id())).toList();
    if (!free.isEmpty()) {
      calls.unpin(free);
    }
  }

  private static void leave(StripeStatus status, String cause, String reason, List<Left> left) {
    LOG.warn("parity of stripe {} stays for now: {}", status.stripe().id(), reason);
    left.add(new Left(status, cause, reason));
  }

  /**
   * Waits until two copies of each replicated block of some stripes are on storages that have
   * reported, or the time is up.
   *
   * @return the state of the stripes then
   */
  private List<StripeStatus> awaitReports(List<StripeStatus> stripes, long end) throws IOException {
    List<StripeStatus> now = stripes;
    Optional<StripeStatus> owing = owing(now);
    while (owing.isPresent() && ticker.millis() < end) {
      Waiting.pause(LOOK_MILLIS, ticker);
      // There may be many: all are looked at when one has what it waited for.
      if (owing(present(List.of(owing.get()))).isEmpty()) {
        now = present(now);
        owing = owing(now);
      }
    }
    return present(now);
  }

  /** The first stripe with copies that do not count yet. */
  private static Optional<StripeStatus> owing(List<StripeStatus> stripes) {
    return stripes.stream().filter(status -> unreported(status).isPresent()).findFirst();
  }

  /** Why copies do not count until their nodes have reported. */
  private static Optional<String> unreported(StripeStatus status) {
    for (MemberStatus member : status.data()) {
      List<Replica> copies = member.status().replicas().stream().filter(Replica::isGood).toList();
      long reported = copies.stream().filter(replica -> !replica.stale()).count();
      if (copies.size() >= 2 && reported < 2) {
        return Optional.of(
            ("of %s only %d copies are on storages that have reported all their blocks since a"
                    + " failover or start of the NameNode, which has asked for reports")
                .formatted(member.status().block().name(), reported));
      }
    }
    return Optional.empty();
  }

  /** What nodes must report before copies count. */
  private static Optional<String> owed(StripeStatus status) {
    return unreported(status).or(() -> stale(status));
  }

  /**
   * Why copies may not count yet: their storages have not reported, and other nodes left service.
   */
  private static Optional<String> stale(StripeStatus status) {
    return status.data().stream()
        .filter(
            member ->
                member.status().replicas().stream()
                    .anyMatch(replica -> replica.isGood() && replica.stale()))
        .map(
            member ->
                ("copies of %s are on storages that have not reported all their blocks since a"
                        + " failover or start of the NameNode, and others may be on nodes out of"
                        + " service")
                    .formatted(member.status().block().name()))
        .findFirst();
  }

  /**
   * The stripes whose parity nothing needs: their data blocks are replicated, in a later stripe, or
   * deleted.
   */
  private static List<StripeStatus> replicated(List<StripeStatus> stripes) {
    return stripes.stream().filter(status -> !status.isNeeded()).toList();
  }

  /** The current states of those stripes that still exist. */
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

  /**
   * The stripes whose replicated blocks have enough copies on disk.
   *
   * @param left gets the other stripes whose parity could otherwise be deleted
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
        Optional<BlockStatus> failed =
            lacking.stream().filter(block -> !copies.wouldSuffice(block)).findFirst();
        BlockStatus block = failed.orElse(lacking.get(0));
        String reason =
            failed.isPresent()
                ? "of %s only %d copies are on disk for sure"
                    .formatted(block.block().name(), copies.of(block))
                : ("of %s only %d copies are on nodes in service, %d on nodes that are in"
                        + " maintenance or being decommissioned")
                    .formatted(block.block().name(), copies.of(block), copies.elsewhere(block));
        LOG.warn("parity of stripe {} stays: {}", status.stripe().id(), reason);
        if (!status.isNeeded()) {
          left.add(new Left(status, failed.isPresent() ? "NOT_ON_DISK" : "AWAITED", reason));
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
