package org.braid.lab.chaos;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.braid.experiment.ExperimentException;
import org.braid.hdfs.testkit.lab.Answer;
import org.braid.hdfs.testkit.lab.Command;
import org.jspecify.annotations.Nullable;

/**
 * Checks the cluster after all faults have ended: first every byte can be read, then the
 * coordinator repairs everything, and at last HDFS's own client reads every byte, too.
 */
final class Calm {
  private static final long NODES_SECONDS = 180;
  private static final long CALL_SECONDS = 200;

  /** How long the coordinator has before it is helped by a command, and both together. */
  private static final long ALONE_SECONDS = 120;

  private static final long WHOLE_SECONDS = 300;
  private static final long LOOK_MILLIS = 1000;

  private final int nodes;
  private final Actor operator;
  private final Damage damage;
  private final ChaosTally tally;

  Calm(int nodes, Actor operator, Damage damage, ChaosTally tally) {
    this.nodes = nodes;
    this.operator = operator;
    this.damage = damage;
    this.tally = tally;
  }

  /** Waits until all nodes are back and everything is whole; reads what clients are to see. */
  void check(List<ClientLane> clients) throws ExperimentException, InterruptedException {
    tally.note("calm", "begins");
    Reply back = operator.call(new Command.AwaitNodes(nodes, NODES_SECONDS), CALL_SECONDS);
    if (!back.ok()) {
      tally.violation("after a round of faults: " + back);
      return;
    }
    for (ClientLane client : clients) {
      client.compareAll(List.of(Command.Client.BRAID));
    }
    damage.report();
    Answer.Audited audited = awaitWhole();
    if (audited == null) {
      return;
    }
    count(clients, audited);
    for (ClientLane client : clients) {
      client.compareAll(List.of(Command.Client.PLAIN, Command.Client.BRAID));
      client.checkAll();
    }
    tally.note("calm", "ends: " + audited);
  }

  /** Null when it does not become whole in time. */
  private Answer.@Nullable Audited awaitWhole() throws ExperimentException, InterruptedException {
    long begun = System.nanoTime();
    boolean repaired = false;
    String last = "";
    while (true) {
      Reply reply = operator.call(new Command.Audit(ChaosPlan.ROOT), CALL_SECONDS);
      if (reply.ok()) {
        Answer.Audited audited = reply.as(Answer.Audited.class);
        if (audited.problems().isEmpty()) {
          tally.calm(repaired);
          return audited;
        }
        last = String.join("; ", audited.problems());
      } else {
        last = reply.toString();
      }
      long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun);
      if (seconds > WHOLE_SECONDS) {
        tally.violation(
            "%d s after all nodes are back, the cluster is not whole: %s".formatted(seconds, last));
        return null;
      }
      if (seconds > ALONE_SECONDS && !repaired) {
        repaired = true;
        tally.note("calm", "is helped by a repair: " + last);
        tally.note("calm", "repair: " + operator.call(BraidSteps.repair("/", 1), CALL_SECONDS));
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }

  private void count(List<ClientLane> clients, Answer.Audited audited) {
    int files = clients.stream().mapToInt(client -> client.model().files().size()).sum();
    long bytes = clients.stream().mapToLong(client -> client.model().bytes()).sum();
    if (audited.files() != files || audited.bytes() != bytes) {
      tally.violation(
          "there are %d files with %d bytes, there should be %d with %d"
              .formatted(audited.files(), audited.bytes(), files, bytes));
    }
  }
}
