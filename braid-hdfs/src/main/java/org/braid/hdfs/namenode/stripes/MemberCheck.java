package org.braid.hdfs.namenode.stripes;

import java.util.List;
import java.util.Optional;
import org.braid.hdfs.stripe.Member;

/** Decides from plain values whether a member's surplus replicas may be dropped. */
final class MemberCheck {
  private MemberCheck() {}

  /**
   * A replica.
   *
   * @param uuid UUID of its DataNode
   * @param host name of the DataNode
   * @param going whether it is scheduled for deletion
   * @param alive whether it is on a live node and a healthy storage
   * @param state state of the DataNode when it is not in service
   * @param stale whether it is on a storage that owes a full block report
   * @param silence milliseconds since the DataNode's last heartbeat
   * @param suspect whether the DataNode has been silent for too long
   */
  record Copy(
      String uuid,
      String host,
      boolean corrupt,
      boolean going,
      boolean alive,
      Optional<String> state,
      boolean stale,
      long silence,
      boolean suspect) {}

  /**
   * A member's block, which has the recorded identity.
   *
   * @param complete whether no client writes to its file
   * @param inSnapshot whether a snapshot holds it at more than one replica
   */
  record Block(boolean complete, boolean inSnapshot, List<Copy> copies) {
    Block {
      copies = List.copyOf(copies);
    }
  }

  /**
   * The reason against dropping, if any.
   *
   * @param block empty when there is no block with the recorded id, generation stamp and length
   * @param homeName host name of the member's home
   * @param suspectAfter permitted milliseconds of silence
   */
  static Optional<String> refusal(
      Member member, Optional<Block> block, String homeName, long suspectAfter) {
    String name = "blk_" + member.block().id();
    if (block.isEmpty()) {
      return Optional.of(
          "%s is gone or changed: recorded are generation %d and %d bytes"
              .formatted(name, member.block().generation(), member.block().length()));
    }
    if (!block.get().complete()) {
      return Optional.of(name + " is not complete: its file is open for writing");
    }
    if (block.get().inSnapshot()) {
      return Optional.of(
          name + " is held by a snapshot at more than 1 replica: delete the snapshot first");
    }
    List<Copy> copies = block.get().copies();
    Optional<Copy> home = copies.stream().filter(c -> c.uuid().equals(member.home())).findFirst();
    if (home.isEmpty()) {
      return Optional.of(
          "%s has %d replicas, none at its home %s".formatted(name, copies.size(), homeName));
    }
    return refusal(home.get(), copies, suspectAfter)
        .map(reason -> name + " at its home " + home.get().host() + reason);
  }

  private static Optional<String> refusal(Copy home, List<Copy> copies, long suspectAfter) {
    if (home.corrupt()) {
      return Optional.of(" is corrupt");
    }
    if (home.going()) {
      return Optional.of(" is scheduled for deletion");
    }
    if (!home.alive()) {
      return Optional.of(" is on a dead node or failed storage");
    }
    if (home.state().isPresent()) {
      return Optional.of(" is on a node in state " + home.state().get());
    }
    long stale = copies.stream().filter(Copy::stale).count();
    if (stale > 0) {
      return Optional.of(
          ": %d of %d replicas are on STALE storages, a full block report is awaited"
              .formatted(stale, copies.size()));
    }
    return home.suspect()
        ? Optional.of(
            " is on a node that is silent for %d ms, at most %d are allowed"
                .formatted(home.silence(), suspectAfter))
        : Optional.empty();
  }
}
