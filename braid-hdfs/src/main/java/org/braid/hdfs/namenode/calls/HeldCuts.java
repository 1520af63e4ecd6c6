package org.braid.hdfs.namenode.calls;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.TruncateRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.TruncateResponseProto;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.apache.hadoop.util.Time;
import org.braid.hdfs.namenode.calls.ConvertedWrites.Prepared;
import org.braid.hdfs.namenode.calls.ConvertedWrites.Right;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.Shares;
import org.braid.hdfs.namenode.writes.CountedCut;
import org.braid.thread.DaemonThreads;
import org.braid.thread.Turn;
import org.jspecify.annotations.Nullable;

/**
 * Truncates files; an encoded block that is cut first gets its replicas back, which may take time.
 */
final class HeldCuts {
  private static final long POLL_MILLIS = 100;
  private static final long COPY_MILLIS = 50_000;
  private static final int SAFE_COPIES = 2;

  /** So many cuts wait for copies at most; others are refused. */
  private static final int MOST_WAITING = 256;

  /** So many of one user. */
  private static final int MOST_OF_A_USER = MOST_WAITING / 4;

  private final NameNodeHost host;
  private final ConvertedWrites writes;
  private final SafeRemovals removals;
  private final Shares waiting = new Shares(MOST_WAITING, MOST_OF_A_USER);
  private final ScheduledExecutorService late = DaemonThreads.scheduled(1, "braid-late-writes");

  HeldCuts(NameNodeHost host, ConvertedWrites writes, SafeRemovals removals) {
    this.host = host;
    this.writes = writes;
    this.removals = removals;
  }

  /**
   * Truncates a file for the present caller.
   *
   * @param truncate HDFS's own call
   * @return null when the call is answered later
   */
  @Nullable TruncateResponseProto cut(
      TruncateRequestProto request, LateAnswer.Stock<TruncateResponseProto> truncate)
      throws ServiceException {
    try {
      PendingRemoval removal =
          removals.look(Removal.tail(request.getSrc(), request.getNewLength()));
      if (!removal.goesAtOnce()) {
        removals.later(removal, (answer, again) -> later(answer, request, again, truncate));
        return null;
      }
      Cut cut = new Cut(request, removal, truncate);
      Optional<LateAnswer> answer =
          cut.hasCopies() || !cut.mayWait() ? Optional.empty() : LateAnswer.toPresentCall();
      if (answer.isEmpty()) {
        return cut.make();
      }
      answer.get().postpone();
      await(answer.get(), cut, Time.monotonicNow() + COPY_MILLIS);
      return null;
    } catch (IOException e) {
      throw new ServiceException(e);
    }
  }

  private void later(
      LateAnswer answer,
      TruncateRequestProto request,
      PendingRemoval removal,
      LateAnswer.Stock<TruncateResponseProto> truncate) {
    Turn.take(
        () -> {
          Cut cut = answer.asCaller(() -> new Cut(request, removal, truncate));
          await(answer, cut, Time.monotonicNow() + (cut.mayWait() ? COPY_MILLIS : 0));
        },
        e -> {
          removal.close();
          removals.fail(answer, removal.removal(), e);
        });
  }

  /** A file that is prepared for being cut; it is made, or given up. */
  private final class Cut {
    private final TruncateRequestProto request;
    private final PendingRemoval removal;
    private final LateAnswer.Stock<TruncateResponseProto> truncate;
    private final Prepared prepared;
    private final WaitingPlace place;

    Cut(
        TruncateRequestProto request,
        PendingRemoval removal,
        LateAnswer.Stock<TruncateResponseProto> truncate)
        throws IOException {
      this.request = request;
      this.removal = removal;
      this.truncate = truncate;
      this.place = new WaitingPlace(waiting, removal.user(), true);
      Prepared file = null;
      try {
        file = writes.prepare(request.getSrc(), request.getNewLength());
      } finally {
        if (file == null) {
          removal.close();
        }
      }
      this.prepared = file;
    }

    /** Whether there is a place in which it waits for copies. */
    boolean mayWait() {
      return place.take();
    }

    TruncateResponseProto make() throws ServiceException {
      place.giveBack();
      boolean[] begun = new boolean[1];
      try {
        return removals.carryOut(
            removal,
            () -> {
              begun[0] = true;
              return made();
            });
      } finally {
        if (!begun[0]) {
          end();
        }
      }
    }

    private TruncateResponseProto made() throws ServiceException {
      return writes.made(
          prepared,
          () -> {
            if (!mayBeMade()) {
              throw new ServiceException(
                  removals.logged(removal.removal(), new IOException(noCopies())));
            }
            return counted();
          },
          made -> writes.others().isTruncated(prepared, request.getSrc()));
    }

    /** HDFS cuts the file, and takes off its quota what it has counted. */
    private TruncateResponseProto counted() throws ServiceException {
      try (CountedCut ignored = writes.others().cut(prepared.inode(), request.getNewLength())) {
        return truncate.call();
      } catch (IOException e) {
        throw new ServiceException(e);
      }
    }

    void giveUp() {
      place.giveBack();
      removal.close();
      end();
    }

    /** It is not made: the file is as it was. */
    private void end() {
      writes.done(prepared);
      writes.undo(prepared);
    }

    /** Whether the cut need not wait: its block has enough replicas, or HDFS will refuse it. */
    boolean hasCopies() {
      return prepared.refused() || isSafe(true);
    }

    /** Whoever was not permitted to cut the file may be by now. */
    private boolean mayBeMade() throws ServiceException {
      try {
        return (prepared.refused() && !writes.permits(request.getSrc(), Right.WRITE))
            || isSafe(false);
      } catch (IOException e) {
        throw new ServiceException(e);
      }
    }

    /**
     * One that is not active has HDFS refuse, so that the client turns to the other one.
     *
     * @param certain whether copies do not count that may be gone since a failover; they are waited
     *     for, and count as for HDFS when the waiting is over
     */
    private boolean isSafe(boolean certain) {
      try {
        return !host.nameNode().isActiveState()
            || writes.hasCopies(request.getSrc(), request.getNewLength(), SAFE_COPIES, certain);
      } catch (IOException | RuntimeException e) {
        return true; // HDFS says what is wrong with the path
      }
    }

    private String noCopies() {
      return "%s cannot be truncated to %d bytes yet: the encoded block there has fewer than %d copies; %d cuts of a user, and %d in all, wait for copies, each for %d s: try again"
          .formatted(
              request.getSrc(),
              request.getNewLength(),
              SAFE_COPIES,
              MOST_OF_A_USER,
              MOST_WAITING,
              COPY_MILLIS / 1000);
    }
  }

  private void await(LateAnswer answer, Cut cut, long end) {
    Turn.take(
        () -> lookAgain(answer, cut, end),
        e -> {
          cut.giveUp();
          removals.fail(answer, cut.removal.removal(), e);
        });
  }

  private void lookAgain(LateAnswer answer, Cut cut, long end) throws IOException {
    Optional<IOException> against = cut.removal.againstLate(answer);
    if (against.isPresent()) {
      throw against.get();
    }
    if (cut.hasCopies() || Time.monotonicNow() > end) {
      // A node may have died since the last look.
      cut.removal.lookAgain(false);
      cut.removal.holdAgain(false);
      if (!cut.removal.goesAtOnce()) {
        throw new IOException(removals.refuse(cut.removal));
      }
      answer.send(LateAnswer.durable(host, cut::make));
    } else {
      cut.removal.letGo();
      Future<?> unused =
          late.schedule(() -> await(answer, cut, end), POLL_MILLIS, TimeUnit.MILLISECONDS);
    }
  }
}
