package org.braid.cli.cluster.policy;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.braid.cli.cluster.base.ClusterConnector;
import org.braid.cli.command.CommandResult;
import org.braid.hdfs.api.Policies;
import org.braid.hdfs.policy.Pausable;
import org.braid.hdfs.policy.PolicyDocument;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "resume",
    description = "Ends a pause of the daemons' work.",
    footer = {"", "Example: everything goes on", "  braid resume all"})
final class ResumeCommand extends PolicyCommand {
  @Parameters(
      paramLabel = "WORK",
      converter = PauseCommand.Work.Reader.class,
      description = "What goes on: convert, restore, repair, scrub or all.")
  @SuppressWarnings("NullAway.Init")
  private PauseCommand.Work work;

  ResumeCommand(ClusterConnector connector) {
    super(connector);
  }

  @Override
  protected CommandResult perform(Policies policies) throws IOException {
    PolicyDocument current = policies.current();
    Instant now = Instant.now();
    List<Pausable> paused =
        work.all().stream().filter(one -> current.pausedUntil(one, now).isPresent()).toList();
    if (paused.isEmpty()) {
      return unchanged(current, Pausable.subject(work.all()) + " not paused");
    }
    return changed(
        policies.change(
            Pausable.subject(paused) + " resumed",
            before -> {
              PolicyDocument after = before;
              for (Pausable one : work.all()) {
                // What somebody pauses meanwhile is not named, and stays paused.
                if (paused.contains(one) || before.pausedUntil(one, now).isEmpty()) {
                  after = after.resuming(one);
                }
              }
              return after;
            }));
  }
}
