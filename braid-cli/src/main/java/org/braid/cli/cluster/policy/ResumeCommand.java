package org.braid.cli.cluster.policy;

import java.io.IOException;
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
    return changed(
        policies.change(
            Pausable.subject(work.all()) + " resumed",
            before -> {
              PolicyDocument after = before;
              for (Pausable one : work.all()) {
                after = after.resuming(one);
              }
              return after;
            }));
  }
}
