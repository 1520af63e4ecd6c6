package org.braid.hdfs.coordinator.scrub;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.hadoop.ipc.RetriableException;
import org.braid.hdfs.api.ScrubReport;
import org.braid.hdfs.api.ScrubReport.Kind;
import org.braid.hdfs.api.ScrubReport.Unchecked;
import org.braid.hdfs.coordinator.scrub.StripeReads.Read;
import org.braid.hdfs.coordinator.scrub.StripeReads.Why;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.hdfs.coordinator.session.Waiting;
import org.braid.hdfs.proto.BraidProtos.ScrubResponseProto;
import org.braid.hdfs.proto.BraidProtos.ScrubResponseProto.Finding;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.time.Ticker;

/**
 * Checks a replica. Before it reports a bad one, it asks the NameNode whether the replica still
 * counts, and reads it once more: a concurrent deletion, move, append or restoration is no finding.
 */
final class ReplicaCheck {
  /** Longest wait for another scrub that reads on the same node. */
  private static final long BUSY_MILLIS = 600_000;

  private static final long AGAIN_MILLIS = 500;

  private final ReplicaCalls calls;
  private final ScrubGate gate;
  private final ScrubTally tally;
  private final Ticker ticker;

  ReplicaCheck(ReplicaCalls calls, ScrubGate gate, ScrubTally tally, Ticker ticker) {
    this.calls = calls;
    this.gate = gate;
    this.tally = tally;
    this.ticker = ticker;
  }

  /**
   * Reads a replica and counts the findings.
   *
   * @param hashes the hashes of its stripe, to which those of the replica are added
   * @return false when the scrub ends first
   * @throws InterruptedIOException when this thread is interrupted
   */
  boolean check(Read read, ClusterState state, StripeHashes hashes) throws InterruptedIOException {
    try {
      Optional<StripeStatus> moved = look(read, state, hashes);
      if (moved.isEmpty()) {
        return true;
      }
      // It was moved meanwhile: where it is now, it is read once more, and no more is looked at.
      List<Read> again =
          StripeReads.of(moved.get(), state).reads().stream()
              .filter(other -> other.position() == read.position() && other.node() != read.node())
              .toList();
      for (Read other : again) {
        var unused = look(other, state, hashes);
      }
      return true;
    } catch (Ended e) {
      return false;
    } catch (IOException e) {
      endIfInterrupted(e);
      if (read.why() == Why.LISTED && isValid(read, state)) {
        tally.unchecked(
            new Unchecked(
                read.now().path(),
                read.member().block().name(),
                state.name(read.node()),
                String.valueOf(e.getMessage())));
      }
      return true;
    }
  }

  private static void endIfInterrupted(IOException e) throws InterruptedIOException {
    if (Thread.currentThread().isInterrupted()) {
      InterruptedIOException interrupted = new InterruptedIOException(e.getMessage());
      interrupted.initCause(e);
      throw interrupted;
    }
  }

  /**
   * Reads a replica for its hashes alone.
   *
   * @return false when the scrub ends first
   * @throws InterruptedIOException when this thread is interrupted
   */
  boolean again(Read read, ClusterState state, StripeHashes hashes) throws InterruptedIOException {
    try {
      hashes.add(read.position(), patiently(() -> ask(read, state, hashes)));
      return true;
    } catch (Ended e) {
      return false;
    } catch (IOException e) {
      endIfInterrupted(e);
      return true;
    }
  }

  /** Whether a stripe still exists with all its blocks. */
  boolean isUnchanged(StripeStatus status) throws InterruptedIOException {
    try {
      Optional<StripeStatus> now = calls.now(status);
      return now.isPresent()
          && IntStream.range(0, status.stripe().size())
              .allMatch(i -> status.stripe().isVirtual(i) || StripeReads.isHeld(now.get(), i));
    } catch (IOException e) {
      endIfInterrupted(e);
      return false;
    }
  }

  private ScrubResponseProto ask(Read read, ClusterState state, StripeHashes hashes)
      throws IOException {
    return calls.look(state.node(read.node()), read.member(), hashes.request());
  }

  /** Whether the NameNode still counts a replica, as far as it answers. */
  private boolean isValid(Read read, ClusterState state) {
    try {
      Optional<StripeStatus> now = calls.now(read.status());
      return now.isPresent() && StripeReads.isValid(read, now.get(), state);
    } catch (IOException e) {
      return true;
    }
  }

  /** The scrub ends. */
  private static final class Ended extends IOException {
    private static final long serialVersionUID = 1;
  }

  /** Reads a replica; returns the current state of the stripe if the replica is somewhere else. */
  private Optional<StripeStatus> look(Read read, ClusterState state, StripeHashes hashes)
      throws IOException {
    ScrubResponseProto first = patiently(() -> ask(read, state, hashes));
    hashes.add(read.position(), first);
    count(read, isRead(first));
    if (isFine(first)) {
      return Optional.empty();
    }
    Optional<StripeStatus> now = calls.now(read.status());
    if (now.isEmpty()) {
      return Optional.empty();
    }
    if (!StripeReads.isValid(read, now.get(), state)) {
      if (!StripeReads.isHeld(now.get(), read.position())) {
        return Optional.empty();
      }
      if (isReported(first)) {
        found(read, state, first); // HDFS had other copies, and dropped this one for it
        return Optional.empty();
      }
      return now;
    }
    ScrubResponseProto second =
        patiently(
            () ->
                read.why() == Why.HOME
                    ? ask(read, state, hashes)
                    : calls.report(state.node(read.node()), read.member()));
    hashes.add(read.position(), second);
    count(read, !isRead(first) && isRead(second));
    if (!isFine(second)) {
      found(read, state, second);
    }
    return Optional.empty();
  }

  private void count(Read read, boolean isRead) {
    if (isRead && read.why() == Why.LISTED) {
      tally.read(read.member().block().length());
    }
  }

  /** Whether the worker read a replica from disk, good or bad. */
  private static boolean isRead(ScrubResponseProto answer) {
    return switch (answer.getFinding()) {
      case GOOD, CONTENT, CHECKSUM, TRUNCATED -> true;
      case CHANGED, MISSING, ABSENT, UNREADABLE -> false;
    };
  }

  private static boolean isFine(ScrubResponseProto answer) {
    return answer.getFinding() == Finding.GOOD || answer.getFinding() == Finding.CHANGED;
  }

  /** Whether the worker reports to HDFS by itself, as it does for every wrong checksum. */
  private static boolean isReported(ScrubResponseProto answer) {
    return answer.getFinding() == Finding.CHECKSUM;
  }

  private void found(Read read, ClusterState state, ScrubResponseProto answer) {
    String node = state.name(read.node());
    boolean home = read.why() == Why.HOME;
    tally.found(
        new ScrubReport.Finding(
            home ? Kind.NO_HOME : Kind.valueOf(answer.getFinding().name()),
            read.now().path(),
            read.status().stripe().id(),
            read.position(),
            read.member().block().name(),
            node,
            home
                ? "its home has no replica, or a bad one: " + answer.getDetail()
                : answer.getDetail()));
  }

  private interface Call {
    ScrubResponseProto make() throws IOException;
  }

  /** Makes a call when the gate allows; waits for a node that reads for another scrub. */
  private ScrubResponseProto patiently(Call call) throws IOException {
    long end = ticker.millis() + BUSY_MILLIS;
    while (true) {
      if (!gate.await()) {
        throw new Ended();
      }
      try {
        return call.make();
      } catch (RetriableException e) {
        if (ticker.millis() > end) {
          throw e;
        }
      }
      Waiting.pause(AGAIN_MILLIS, ticker);
    }
  }
}
