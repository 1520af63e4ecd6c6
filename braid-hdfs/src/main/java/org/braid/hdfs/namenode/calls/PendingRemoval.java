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
 * A removal from its first look until it was made or given up. Meanwhile others do not count on the
 * blocks that it takes, and blocks that it leaves keep the copies that it asked for; its end gives
 * both back, once. One thread at a time uses it.
 */
final class PendingRemoval implements AutoCloseable {
  /**
   * What all removals share.
   *
   * @param moves what moves beside them
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
   * A removal that was not looked at yet.
   *
   * @param state what stood at its paths when the call came
   * @param place in which it waits for copies of what it leaves; without one it does not wait
   */
  PendingRemoval(Shared shared, Removal removal, PathState state, WaitingPlace place) {
    this.shared = shared;
    this.removal = removal;
    this.state = state;
    this.place = place;
    this.taking = shared.moves.take();
  }

  /** Who called. */
  String user() {
    return place.user();
  }

  /** What is removed. */
  Removal removal() {
    return removal;
  }

  /** Lost blocks of files that stay, which cannot be rebuilt without what goes. */
  Set<Long> needing() {
    return verdict.needing();
  }

  /** Whether it was looked at; a look that takes long is made on another thread. */
  boolean isSeen() {
    return seen;
  }

  /** Where it is looked at again. */
  SafeRemovals.Kind kind() {
    if (removal.isLong()) {
      return SafeRemovals.Kind.SNAPSHOT;
    }
    return large ? SafeRemovals.Kind.LARGE : SafeRemovals.Kind.SMALL;
  }

  /** Whether nothing speaks against it, as far as was seen last. */
  boolean goesAtOnce() {
    return seen && needing().isEmpty() && !waitsForCopies();
  }

  private boolean waitsForCopies() {
    return patient && !verdict.bare().isEmpty();
  }

  /** Whether nothing speaks against it but that copies of what it leaves are still to be made. */
  boolean waitsForCopiesOnly() {
    return needing().isEmpty() && waitsForCopies();
  }

  /** The first look, for the present caller, who is to have the rights. */
  void look() throws IOException {
    looks();
    found(shared.check.of(removal));
  }

  /** The same without what takes long: {@link #isSeen} says whether that is to be done later. */
  void lookQuickly() throws IOException {
    looks();
    Optional<Verdict> first = shared.check.quickly(removal);
    seen = first.isPresent();
    if (seen) {
      found(first.get());
    }
  }

  /** It is held: all that it takes is remembered as it is now. */
  void remember() throws IOException {
    state = state.whole();
  }

  /** While it waits, others may count on what it takes, and what was seen so far is over. */
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
   * A later look. What it takes is compared with what stood there when the call came; what is below
   * a directory once and last, when nothing else speaks against it.
   *
   * @param longer whether it goes on waiting for copies, if it did
   * @throws IOException when others wrote there meanwhile
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
   * If nothing speaks against it: has no file come there, or leave, from its last look until it was
   * made. It looks again where one did, in the name of the present caller.
   *
   * @throws IOException when something there lasts
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
   * The same after a later look.
   *
   * @param longer whether it goes on waiting for copies, if it did
   * @throws IOException also when others wrote there meanwhile
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

  /** While something else is waited for, files may come there and leave; it is to look again. */
  void letGo() {
    taking.letGo();
  }

  /** The present thread makes it. */
  void carries() {
    taking.carries();
  }

  /**
   * Refuses what was seen in another time in office: the other NameNode may have dropped copies.
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

  /** Why it is not made any more, some time after a look; empty when it may be. */
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

  /** The refusal of one that has waited in vain. */
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

  /** HDFS has made it: its end tells which stripes lost blocks. */
  void made() {
    made = true;
  }

  /** Gives back what it holds on to; a second time, nothing. */
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
