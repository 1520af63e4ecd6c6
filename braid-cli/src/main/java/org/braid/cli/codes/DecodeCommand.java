package org.braid.cli.codes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.braid.cli.Bars;
import org.braid.cli.BaseCommand;
import org.braid.cli.ExitStatus;
import org.braid.cli.Outcome;
import org.braid.code.Codes;
import org.braid.kernel.Kernels;
import org.braid.shard.DecodeReport;
import org.braid.shard.DecodeRequest;
import org.braid.shard.DecodeRequest.Repair;
import org.braid.shard.Existing;
import org.braid.shard.ShardDecoder;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "decode",
    description = {
      "Restores a file from its shards, whichever are left, as long as they are enough.",
      "What is missing or damaged is found out and listed; damaged cells count as lost in their"
          + " stripe alone. The file appears only once its SHA-256 is right.",
      "Without --out, --repair reads no more than rebuilding the shards takes that are seen to be"
          + " missing, cut off or without a header; where none is, it reads and verifies all."
    },
    footer = {
      "",
      "Example: restore a file and write the lost shards anew",
      "  braid codes decode shards --out backup.tar --repair"
    })
final class DecodeCommand extends BaseCommand {
  @Parameters(
      paramLabel = "DIR",
      description = "Where the shards are, or in directories directly in it.")
  @SuppressWarnings("NullAway.Init")
  private Path directory;

  @Option(names = "--out", paramLabel = "FILE", description = "The file to write.")
  private @Nullable Path file;

  @Option(names = "--repair", description = "Write missing and damaged shards anew.")
  private boolean repair;

  @Option(
      names = "--set",
      paramLabel = "ID",
      description =
          "First digits of the id of the set to take, where DIR has several that can be restored.")
  private @Nullable String set;

  @Option(names = "--overwrite", description = "Write over FILE.")
  private boolean overwrite;

  @Override
  protected Outcome perform() throws IOException {
    if (file == null && !repair) {
      throw wrong("nothing to do: give --out FILE, --repair or both");
    }
    DecodeRequest request =
        new DecodeRequest(
            directory,
            Optional.ofNullable(file),
            repair ? Repair.SHARDS : Repair.NOTHING,
            overwrite ? Existing.REPLACE : Existing.KEEP,
            Optional.ofNullable(set));
    long start = System.nanoTime();
    DecodeReport report;
    try (Bars bars = new Bars()) {
      report = new ShardDecoder(Kernels.active(), Codes::named).decode(request, bars::at);
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    report.problem().ifPresent(problem -> err().println("braid: " + problem));
    ObjectNode object = ShardReports.json(report).put("seconds", seconds);
    return new Outcome(
        report.problem().isPresent() ? ExitStatus.FAILED : ExitStatus.DONE,
        object,
        ShardReports.lines(report, seconds));
  }
}
