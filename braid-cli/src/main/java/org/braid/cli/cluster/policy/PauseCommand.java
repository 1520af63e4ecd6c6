package org.braid.cli.cluster.policy;

import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.braid.cli.cluster.base.ClusterConnector;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.Converters;
import org.braid.hdfs.api.Policies;
import org.braid.hdfs.policy.Moments;
import org.braid.hdfs.policy.Pausable;
import org.braid.hdfs.policy.PolicyDocument;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "pause",
    description = {
      "Pauses work of all daemons of the cluster.",
      "What is being done is ended at the next stripe. Blocks that readers wait for are rebuilt"
          + " also while repair is paused. The commands convert, restore, repair and scrub"
          + " are not paused."
    },
    footer = {
      "",
      "Example: no conversion until tomorrow morning",
      "  braid pause convert --until 06:00"
    })
final class PauseCommand extends PolicyCommand {
  /** What of it, by a word of the command line. */
  record Work(List<Pausable> all) {
    /** Reads the word. */
    static final class Reader implements ITypeConverter<Work> {
      @Override
      public Work convert(String text) {
        return Converters.read(word -> new Work(Pausable.named(word)), text);
      }
    }
  }

  @Parameters(
      paramLabel = "WORK",
      converter = Work.Reader.class,
      description = "What is paused: convert, restore, repair, scrub or all.")
  @SuppressWarnings("NullAway.Init")
  private Work work;

  @Option(
      names = "--until",
      paramLabel = "TIME",
      description =
          "When it goes on by itself: 06:00, a day as 2026-12-24 or 2026-12-24T06:00, or after a"
              + " time as 8h; without it braid resume ends the pause.")
  private @Nullable String until;

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      description = "The time zone of --until, as in Europe/Berlin; default: this machine's.")
  private @Nullable String zone;

  /** The zone of {@code --until}. */
  private ZoneId in = ZoneOffset.UTC;

  /** When it goes on, counted from when the command was given. */
  private Instant end = Instant.MAX;

  PauseCommand(ClusterConnector connector) {
    super(connector);
  }

  @Override
  protected void checkArguments() {
    in = zoneNamed(zone);
    String given = until;
    end = given == null ? Instant.MAX : made(() -> Moments.parse(given, in, Instant.now()));
  }

  @Override
  protected CommandResult perform(Policies policies) throws IOException {
    return changed(
        policies.change(
            "%s paused until %s".formatted(Pausable.subject(work.all()), Moments.untilBy(in, end)),
            before -> {
              PolicyDocument after = before;
              for (Pausable one : work.all()) {
                after = after.pausing(one, end);
              }
              return after;
            }));
  }
}
