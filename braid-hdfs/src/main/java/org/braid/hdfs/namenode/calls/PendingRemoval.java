package org.braid.hdfs.namenode.calls;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.hadoop.ipc.RetriableException;
import org.braid.hdfs.namenode.calls.RemovalCheck.Verdict;
import org.braid.hdfs.namenode.moves.MovesBeside;
import org.braid.hdfs.namenode.moves.RealPaths;

/**
 * A removal from its first check until it is made or given up. Meanwhile other removals do not rely
 * on the blocks that it removes, and remaining blocks keep the extra replicas that it requested.
 * Its end releases both, once. Used by one thread at a time.
 */
final class PendingRemoval implements AutoCloseable {
  /**
   * The shared parts of all removals.
   *
   * @param moves concurrent moves of files
   * @param thinned gets the stripes that lost some of their data blocks
   */
  record Shared(
      RemovalCheck check,
      CopyRequests copies,
      RealPaths paths,
      MovesBeside moves,
      Consumer<Set<String>> thinned) {}

  /** After so many looks that were in vain, as something moved, nothing moves during the next. */
  private static final int MOST_LOOKS = 3;

  private final Shared shared;
  private final Removal removal;
  private final WaitingPlace place;
  private final MovesBeside.Taking taking;
  private PathState state;
  private boolean patient = true;
  private Verdict verdict = Verdict.NOTHING;
  private Set<Long> copied = Set.of();
  private boolean seen = true;
  private boolean large;

  /** What was seen before does not count. */
  private long since = System.nanoTime();

  /** The NameNode's time in office in which it was looked at last. */
  private long term;

  private boolean made;
  private boolean closed;

  /**
   * A removal before its first check.
   *
   * @param state state of its paths when the call arrived
   * @param place place in which it waits for extra replicas of other blocks; without a place it
   *     does not wait
   */
  PendingRemoval(Shared shared, Removal removal, PathState state, WaitingPlace place) {
    this.shared = shared;
    this.removal = removal;
    this.state = state;
    this.place = place;
    this.taking = shared.moves.take();
  }

  /** The caller's user name. */
  String user() {
    return place.user();
  }

  /** The removal. */
  Removal removal() {
    return removal;
  }

  /** Lost blocks that remain and cannot be rebuilt without the removed blocks. */
  Set<Long> needing() {
    return verdict.needing();
  }

  /** Whether it was checked; a check that takes long runs on another thread. */
  boolean isSeen() {
    return seen;
  }

  /** The kind of thread that checks it again. */
  SafeRemovals.Kind kind() {
    if (removal.isLong()) {
      return SafeRemovals.Kind.SNAPSHOT;
    }
    return large ? SafeRemovals.Kind.LARGE : SafeRemovals.Kind.SMALL;
  }

  /**
   * Whether no lost block needs the removed blocks, by the last check, and no replicas are waited
   * for.
   */
  boolean goesAtOnce() {
    return seen && needing().isEmpty() && !waitsForCopies();
  }

  private boolean waitsForCopies() {
    return patient && !verdict.bare().isEmpty();
  }

  /** Whether the removal only waits for extra replicas of blocks that it leaves. */
  boolean waitsForCopiesOnly() {
    return needing().isEmpty() && waitsForCopies();
  }

  /** Makes the first check for the present caller, including permissions. */
  void look() throws IOException {
    looks();
    found(shared.check.of(removal));
  }

  /** Makes the first check if it is fast; {@link #isSeen} then tells whether it was made. */
  void lookQuickly() throws IOException {
    looks();
    Optional<Verdict> first = shared.check.quickly(removal);
    seen = first.isPresent();
    if (seen) {
      found(first.get());
    }
  }

  /** Records the state of all that it removes, before the call is held. */
  void remember() throws IOException {
    state = state.whole();
  }

  /**
   * Pauses the removal: meanwhile others may rely on its blocks, and the result of the last check
   * is void.
   */
  void pause() {
    since = System.nanoTime();
    taking.letGo();
    release();
  }

  private void release() {
    shared.check.release(verdict);
    verdict = Verdict.NOTHING;
  }

  /**
   * Checks again. Compares the paths with their state at the call's arrival; compares the contents
   * of directories only when nothing else is against the removal.
   *
   * @param longer whether it may go on waiting for extra replicas
   * @throws IOException when the state has changed
   */
  void lookAgain(boolean longer) throws IOException {
    release();
    looks();
    requireTheSame(state.leadsToTheSame());
    patient &= longer;
    found(shared.check.permitted(removal, since));
    if (goesAtOnce()) {
      requireTheSame(state.isUnchanged());
    }
  }

  /** What comes there or leaves from now on was not seen. */
  private void looks() throws IOException {
    term = shared.check.term();
    if (removal.isOfPath()) {
      List<String> named = new ArrayList<>(List.of(removal.path()));
      removal.replacing().ifPresent(named::add);
      Closeable unused = shared.paths.tell(named, this::looksAt);
    }
  }

  private Closeable looksAt(List<String> places) {
    taking.looks(places.get(0), places.stream().skip(1).findFirst());
    return taking::letGo;
  }

  /**
   * If nothing is against the removal, blocks moves to and from its paths until the removal is
   * made. If a move came in between, checks again for the present caller.
   *
   * @throws IOException when another move or removal there takes too long
   */
  void hold() throws IOException {
    hold(
        () -> {
          release();
          looks();
          found(shared.check.of(removal));
        });
  }

  /**
   * Blocks moves as {@link #hold} does, after a later check.
   *
   * @param longer whether it may go on waiting for extra replicas
   * @throws IOException also when the state of the paths has changed
   */
  void holdAgain(boolean longer) throws IOException {
    hold(() -> lookAgain(longer));
  }

  /** A look at what it takes. */
  @FunctionalInterface
  private interface Look {
    void look() throws IOException;
  }

  private void hold(Look again) throws IOException {
    for (int looks = 1; goesAtOnce() && !taking.hold(); looks++) {
      if (looks >= MOST_LOOKS) {
        taking.holdFirst();
      }
      again.look();
    }
    if (!goesAtOnce()) {
      taking.letGo();
    }
  }

  /** Permits moves to and from its paths while it waits; it must be checked again afterwards. */
  void letGo() {
    taking.letGo();
  }

  /** Declares that the present thread makes the removal. */
  void carries() {
    taking.carries();
  }

  /**
   * Refuses the removal if it was checked in another term: the other NameNode may have dropped
   * replicas since.
   */
  void requireSameTerm() throws IOException {
    if (term != shared.check.term()) {
      throw new RetriableException(
          removal.described() + " was looked at before a failover: call again");
    }
  }

  private void found(Verdict next) throws IOException {
    seen = true;
    large |= next.isLarge();
    verdict = next;
    copied = shared.copies.ask(next.bare(), copied);
    if (waitsForCopiesOnly()) {
      patient = place.take();
    } else {
      place.giveBack();
    }
    if (waitsForCopiesOnly()) {
      shared.check.askForReports(removal, next);
    }
  }

  private void requireTheSame(boolean unchanged) throws IOException {
    if (!unchanged) {
      throw state.changed();
    }
  }

  /** The reason not to make it some time after a check; empty when there is none. */
  Optional<IOException> againstLate(LateAnswer answer) {
    if (!answer.isAwaited()) {
      return Optional.of(new IOException("whoever called is gone"));
    }
    try {
      return state.leadsToTheSame() ? Optional.empty() : Optional.of(state.changed());
    } catch (IOException e) {
      return Optional.of(e);
    } catch (RuntimeException e) {
      return Optional.of(new IOException(e));
    }
  }

  /** The refusal of a removal that has waited in vain. */
  IOException refusal() {
    if (!seen) {
      return new IOException(
          "%s cannot be removed yet: blocks are lost, and whether it is needed for them cannot be looked at now, as many others are: try again"
              .formatted(removal.described()));
    }
    return new IOException(
        "%s cannot be removed yet: %d lost blocks of other files, the first blk_%d, can only be rebuilt from blocks of it; try again when braid repair, or the coordinator that watches, has rebuilt them"
            .formatted(
                removal.described(), needing().size(), needing().stream().findFirst().orElse(0L)));
  }

  /** Notes that HDFS has made the removal; its end then reports the stripes that lost blocks. */
  void made() {
    made = true;
  }

  /** Releases blocks, replicas and paths; a second call does nothing. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    taking.close();
    place.giveBack();
    shared.check.release(verdict);
    // Also after a removal, from which snapshots may have kept the blocks.
    shared.copies.giveBack(copied);
    if (made && !verdict.thinned().isEmpty()) {
      shared.thinned.accept(verdict.thinned());
    }
    if (made && verdict.many()) {
      shared.thinned.accept(Set.of());
    }
  }
}
