package org.braid.cli.cluster.policy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
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
      "Running work stops at the next stripe. Blocks that readers wait for are rebuilt even while"
          + " repair is paused. The commands convert, restore, repair and scrub are not paused."
    },
    footer = {
      "",
      "Example: no conversion until tomorrow morning",
      "  braid pause convert --until 06:00"
    })
final class PauseCommand extends PolicyCommand {
  /** The work to pause, from a word of the command line. */
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
          "End of the pause: a time of day, as in 06:00; a date, as in 2026-12-24; a time of a"
              + " date, as in 2026-12-24T06:00, 2026-12-24T06:00+01:00 or 2026-12-24T06:00Z; or a"
              + " duration, as in 8h; default: until braid resume.")
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
    String what =
        "%s paused until %s".formatted(Pausable.subject(work.all()), Moments.untilBy(in, end));
    PolicyDocument current = policies.current();
    Instant now = Instant.now();
    Optional<Instant> asked = Optional.of(end);
    boolean already =
        work.all().stream().allMatch(one -> current.pausedUntil(one, now).equals(asked));
    if (already) {
      return unchanged(current, what + " already");
    }
    Map<Pausable, Instant> replaced = new TreeMap<>();
    PolicyDocument after =
        policies.change(
            what,
            before -> {
              PolicyDocument paused = before;
              for (Pausable one : work.all()) {
                before
                    .pausedUntil(one, now)
                    .filter(until -> !until.equals(end))
                    .ifPresent(until -> replaced.put(one, until));
                paused = paused.pausing(one, end);
              }
              return paused;
            });
    return changed(after, replaced);
  }

  private CommandResult changed(PolicyDocument after, Map<Pausable, Instant> replaced) {
    CommandResult result = changed(after);
    List<String> lines = new ArrayList<>(result.lines());
    ObjectNode former = result.object().putObject("replaced");
    replaced.forEach(
        (one, until) -> {
          former.put(one.word(), moment(until));
          lines.add(
              "this replaces the pause of %s until %s"
                  .formatted(one.word(), Moments.untilBy(in, until)));
        });
    return new CommandResult(result.status(), result.object(), lines);
  }
}
