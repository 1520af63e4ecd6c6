package org.braid.hdfs.namenode.calls;

import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.braid.hdfs.namenode.calls.RemovalCheck.Verdict;

/**
 * A removal from its first look until it was made or given up. Meanwhile others do not count on the
 * blocks that it takes, and blocks that it leaves keep the copies that it asked for; its end gives
 * both back, once. One thread at a time uses it.
 */
final class PendingRemoval implements AutoCloseable {
  /**
   * What all removals share.
   *
   * @param thinned gets the stripes that lost some of their data blocks
   */
  record Shared(RemovalCheck check, CopyRequests copies, Consumer<Set<String>> thinned) {}

  private final Shared shared;
  private final Removal removal;
  private final WaitingPlace place;
  private PathState state;
  private boolean patient = true;
  private Verdict verdict = Verdict.NOTHING;
  private Set<Long> copied = Set.of();
  private boolean seen = true;

  /** What was seen before does not count. */
  private long since = System.nanoTime();

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
    found(shared.check.of(removal));
  }

  /** The same without what takes long: {@link #isSeen} says whether that is to be done later. */
  void lookQuickly() throws IOException {
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
    requireTheSame(state.leadsToTheSame());
    patient &= longer;
    found(shared.check.permitted(removal, since));
    if (goesAtOnce()) {
      requireTheSame(state.isUnchanged());
    }
  }

  private void found(Verdict next) throws IOException {
    seen = true;
    verdict = next;
    copied = shared.copies.ask(next.bare(), copied);
    if (waitsForCopiesOnly()) {
      patient = place.take();
    } else {
      place.giveBack();
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
