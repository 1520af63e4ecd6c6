package org.braid.hdfs.coordinator.session;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.braid.hdfs.engine.PlanFailedException;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.MemberStatus;

/** Waits for the NameNode to list a replica that a DataNode has just published. */
public final class NewReplica {
  private NewReplica() {}

  /**
   * Waits until the NameNode lists a copy that a DataNode has just published.
   *
   * @throws PlanFailedException when the NameNode does not list it, or has it deleted: HDFS
   *     mistakes a new copy for an older one on that node that was to be deleted
   */
  public static void await(Session session, BlockIdentity block, String uuid, long millis)
      throws IOException {
    AtomicBoolean listed = new AtomicBoolean();
    Waiting.until(
        millis,
        () -> {
          List<BlockStatus> statuses = listed(session, block);
          listed.set(
              statuses.stream()
                  .flatMap(status -> status.replicas().stream())
                  .anyMatch(r -> r.node().equals(uuid) && r.live()));
          return listed.get() || statuses.stream().anyMatch(s -> s.going().contains(uuid));
        });
    if (!listed.get()) {
      throw new PlanFailedException(notListed(session, block, uuid, millis), null);
    }
  }

  private static List<BlockStatus> listed(Session session, BlockIdentity block) throws IOException {
    return session.nameNode().stripesOf(List.of(block.id())).stream()
        .flatMap(stripe -> stripe.members().stream())
        .filter(m -> !m.gone() && m.status().block().equals(block))
        .map(MemberStatus::status)
        .toList();
  }

  private static String notListed(Session session, BlockIdentity block, String uuid, long millis)
      throws IOException {
    List<BlockStatus> statuses = listed(session, block);
    List<String> copies =
        statuses.stream()
            .flatMap(status -> status.replicas().stream())
            .map(r -> r.node() + (r.live() ? "" : " (not live)"))
            .toList();
    List<String> going = statuses.stream().flatMap(s -> s.going().stream()).toList();
    String refusal =
        going.contains(uuid)
            ? "the NameNode has the new copy of %s at DataNode %s deleted"
                .formatted(block.name(), uuid)
            : "the NameNode does not list the new copy of %s at DataNode %s within %d s"
                .formatted(block.name(), uuid, millis / 1000);
    return "%s: it lists %s%s"
        .formatted(
            refusal,
            copies.isEmpty() ? "none" : String.join(", ", copies),
            going.isEmpty() ? "" : ", and to be deleted " + String.join(", ", going));
  }
}
