package org.braid.hdfs.coordinator.session;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.braid.hdfs.engine.PlanFailedException;
import org.braid.hdfs.rpc.Rpc;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.StripeStatus;

/**
 * The copies of a stripe's blocks that stay when others are dropped. Each is forced to its disk,
 * read back and compared with the encoded content, once.
 */
public final class KeptCopies {
  /** By position, the node at which its copy was checked. */
  private final Map<Integer, String> checked;

  private final Set<Copy> failed = ConcurrentHashMap.newKeySet();

  private record Copy(int position, String node) {}

  public KeptCopies() {
    this(Map.of());
  }

  /** Starts with copies that were already checked, by position and node. */
  public KeptCopies(Map<Integer, String> checked) {
    this.checked = new HashMap<>(checked);
  }

  /** Notes that the copy of a position at a node was just checked. */
  public void add(int position, String node) {
    checked.put(position, node);
  }

  /** Forgets the checked copy of a position, which no longer exists. */
  public void forget(int position) {
    checked.remove(position);
  }

  /** Whether the copy of a position at a node was checked. */
  public boolean isChecked(int position, String node) {
    return node.equals(checked.get(position));
  }

  /**
   * Notes that the copy of a position at a node differs from the encoded content, or is missing.
   */
  public void addFailed(int position, String node) {
    failed.add(new Copy(position, node));
  }

  /** Whether the copy of a position at a node failed its check, also if HDFS lists it as good. */
  public boolean hasFailed(int position, String node) {
    return failed.contains(new Copy(position, node));
  }

  /**
   * Forgets the failed copies, so that their nodes are places again when there are no others.
   *
   * @return whether there were any
   */
  public boolean forgive() {
    boolean any = !failed.isEmpty();
    failed.clear();
    return any;
  }

  /**
   * Checks the copies at home of all blocks of a stripe.
   *
   * @throws PlanFailedException when a copy on disk differs from the encoded content or cannot be
   *     read
   */
  public void checkAll(Session session, StripeStatus status, ClusterState state)
      throws IOException {
    check(session, status, state, block -> true);
  }

  /** Checks the copies at home of blocks that have other copies and are to have one. */
  public void checkSurplus(Session session, StripeStatus status, ClusterState state)
      throws IOException {
    check(session, status, state, block -> block.expected() == 1 && block.replicas().size() > 1);
  }

  private void check(
      Session session, StripeStatus status, ClusterState state, Predicate<BlockStatus> which)
      throws IOException {
    List<Parallel.Task> tasks = new ArrayList<>();
    Map<Integer, String> done = new HashMap<>();
    for (int i = 0; i < status.members().size(); i++) {
      Member member = status.stripe().member(i);
      if (status.stripe().isVirtual(i)
          || status.member(i).gone()
          || !which.test(status.member(i).status())
          || isChecked(i, member.home())) {
        continue;
      }
      int position = i;
      int home = readableHome(member, status.member(i).status(), state);
      tasks.add(() -> check(session, member, state, home, position));
      done.put(i, member.home());
    }
    Parallel.run(tasks.size(), tasks);
    checked.putAll(done);
  }

  /**
   * The node of a block's home.
   *
   * @throws PlanFailedException when no good copy can be read there; a copy stays only if it can be
   *     checked
   */
  private static int readableHome(Member member, BlockStatus block, ClusterState state)
      throws PlanFailedException {
    String unread = member.block().name() + " cannot be read at home ";
    OptionalInt home = state.indexOf(member.home());
    if (home.isEmpty()) {
      throw new PlanFailedException(
          unread + member.home() + ": the NameNode does not know such a node", null);
    }
    int node = home.getAsInt();
    if (!state.answers(node)) {
      throw new PlanFailedException(
          unread + state.name(node) + ": " + state.silence(node),
          null,
          Map.of(),
          Set.of(node),
          Set.of());
    }
    if (Arrays.stream(state.readable(block)).noneMatch(holder -> holder == node)) {
      throw new PlanFailedException(
          unread + state.name(node) + ": the NameNode lists no good copy there", null);
    }
    return node;
  }

  private void check(Session session, Member member, ClusterState state, int home, int position)
      throws IOException {
    try {
      check(session, member, state, home);
    } catch (PlanFailedException e) {
      // One that was not reached in time says nothing of its copy.
      if (e.failed().contains(home) && (e.getCause() == null || Rpc.isFinding(e))) {
        addFailed(position, member.home());
      }
      throw e;
    }
  }

  private static void check(Session session, Member member, ClusterState state, int home)
      throws IOException {
    int crc = session.verified(state, home, member.block()).crc();
    if (crc != member.crc()) {
      throw PlanFailedException.at(
          home,
          "%s at %s reads back as CRC-32C %08x, encoded was %08x"
              .formatted(member.block().name(), state.name(home), crc, member.crc()),
          null);
    }
  }
}
