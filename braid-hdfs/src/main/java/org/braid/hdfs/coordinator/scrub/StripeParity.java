package org.braid.hdfs.coordinator.scrub;

import java.io.InterruptedIOException;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.braid.code.ErasureCode;
import org.braid.code.derive.ParityCheck;
import org.braid.hdfs.api.ScrubReport.Finding;
import org.braid.hdfs.api.ScrubReport.Kind;
import org.braid.hdfs.coordinator.scrub.StripeReads.Read;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.hdfs.stripe.StripeStatus;

/**
 * Compares the blocks of a stripe with each other, by hashes of the blocks that match their
 * recorded checksums. If they do not fit, it reads all blocks once more with another seed. It only
 * reports findings: a block that matches its checksum is neither dropped nor rebuilt.
 */
final class StripeParity {
  private final ReplicaCheck replicas;
  private final ScrubTally tally;
  private final LongSupplier seeds;

  StripeParity(ReplicaCheck replicas, ScrubTally tally, LongSupplier seeds) {
    this.replicas = replicas;
    this.tally = tally;
    this.seeds = seeds;
  }

  /** Creates empty hashes of a stripe, with a new seed. */
  StripeHashes hashes(StripeStatus status) {
    return new StripeHashes(status.stripe(), seeds.getAsLong());
  }

  /**
   * Checks a stripe and counts the findings.
   *
   * @param reads its replicas
   * @param hashes the hashes of the good replicas
   * @return whether it was checked; false when the scrub ends first
   * @throws InterruptedIOException when this thread is interrupted
   */
  boolean check(StripeStatus status, List<Read> reads, StripeHashes hashes, ClusterState state)
      throws InterruptedIOException {
    Optional<ParityCheck> check = hashes.check();
    if (check.isPresent() && !check.get().fits()) {
      StripeHashes again = hashes(status);
      for (Read read : reads) {
        if (!again.has(read.position()) && !replicas.again(read, state, again)) {
          return false;
        }
      }
      check = replicas.isUnchanged(status) ? again.check() : Optional.empty();
    }
    if (check.isEmpty()) {
      tally.notComparable();
      return true;
    }
    tally.compared();
    if (!check.get().fits()) {
      tally.found(finding(status, reads, check.get(), state));
    }
    return true;
  }

  private static Finding finding(
      StripeStatus status, List<Read> reads, ParityCheck check, ClusterState state) {
    int position = check.suspects().size() == 1 ? check.suspects().get(0) : check.unfit().get(0);
    Optional<Read> read = reads.stream().filter(one -> one.position() == position).findFirst();
    return new Finding(
        Kind.PARITY,
        status.member(position).path(),
        status.stripe().id(),
        position,
        status.stripe().member(position).block().name(),
        read.map(one -> state.name(one.node())).orElse(""),
        detail(status.stripe().code(), check));
  }

  /** Describes a mismatch. */
  static String detail(ErasureCode code, ParityCheck check) {
    String unfit =
        "%s of %s %s not fit the data, while all blocks are as recorded; "
            .formatted(
                named("parity block", check.unfit()),
                code.name(),
                check.unfit().size() == 1 ? "does" : "do");
    if (check.suspects().isEmpty()) {
      return unfit + "several blocks are wrong";
    }
    int first = check.suspects().get(0);
    return check.suspects().size() == 1
        ? unfit + "%s block %d is wrong".formatted(first < code.k() ? "data" : "parity", first)
        : unfit + "one of %s is wrong".formatted(named("block", check.suspects()));
  }

  private static String named(String what, List<Integer> positions) {
    return positions.stream()
        .map(String::valueOf)
        .collect(Collectors.joining(", ", what + (positions.size() == 1 ? " " : "s "), ""));
  }
}
