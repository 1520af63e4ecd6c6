package org.braid.lab.chaos;

import org.braid.experiment.ExperimentException;
import org.braid.hdfs.testkit.lab.Answer;
import org.braid.hdfs.testkit.lab.Command;

/** An operator, who runs Braid's commands one after the other. */
final class CommandLane {
  private static final long COMMAND_SECONDS = 300;

  private final String name;
  private final Actor actor;
  private final ChaosTally tally;

  CommandLane(String name, Actor actor, ChaosTally tally) {
    this.name = name;
    this.actor = actor;
    this.tally = tally;
  }

  /**
   * Gives a command. While something fails, a command may fail too: given again later, it goes on
   * where it stopped.
   *
   * @param calm whether nothing fails, so that the command must not either
   */
  void execute(Command command, boolean calm) throws ExperimentException, InterruptedException {
    tally.begun(name, command);
    Reply reply = actor.call(command, COMMAND_SECONDS);
    tally.ended(name, command, reply);
    if (reply.end() == Reply.End.LATE) {
      tally.violation("%s: %s: %s".formatted(name, command, reply));
    } else if (reply.end() == Reply.End.FAILED && calm) {
      tally.violation("%s: %s failed while nothing else did: %s".formatted(name, command, reply));
    } else if (reply.ok() && command instanceof Command.Fsck) {
      for (String lost : reply.as(Answer.Findings.class).lost()) {
        tally.violation(name + ": fsck calls lost what the tolerance covers: " + lost);
      }
    }
  }
}
