package org.braid.cli.codes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.braid.cli.command.BaseCommand;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.ExitStatus;
import org.braid.cli.command.ProgressBars;
import org.braid.code.Codes;
import org.braid.kernel.Kernels;
import org.braid.shard.decode.DecodeReport;
import org.braid.shard.decode.DecodeRequest;
import org.braid.shard.decode.DecodeRequest.Repair;
import org.braid.shard.decode.ShardDecoder;
import org.braid.shard.io.OverwritePolicy;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "decode",
    description = {
      "Restores a file from any shards that suffice, and names missing and damaged shards.",
      "A damaged cell is lost in its stripe alone. The file appears only when its SHA-256 is"
          + " right.",
      "With --repair and without --out, only the bytes that the missing and damaged shards"
          + " need are read; where names, headers and lengths are all right, all shards are read"
          + " and verified."
    },
    footer = {
      "",
      "Example: restore a file and rebuild the lost shards",
      "  braid codes decode shards --out backup.tar --repair"
    })
final class CodesDecodeCommand extends BaseCommand {
  @Parameters(
      paramLabel = "DIR",
      description = "Directory of the shards, or of directories with shards.")
  @SuppressWarnings("NullAway.Init")
  private Path directory;

  @Option(names = "--out", paramLabel = "FILE", description = "The file to write.")
  private @Nullable Path file;

  @Option(names = "--repair", description = "Rebuild missing and damaged shards.")
  private boolean repair;

  @Option(
      names = "--set",
      paramLabel = "ID",
      description =
          "First digits of the id of the set to decode; needed where DIR has several sets.")
  private @Nullable String set;

  @Option(names = "--overwrite", description = "Replace FILE if it exists.")
  private boolean overwrite;

  @Override
  protected CommandResult perform() throws IOException {
    if (file == null && !repair) {
      throw wrong("nothing to do: give --out FILE, --repair or both");
    }
    DecodeRequest request =
        new DecodeRequest(
            directory,
            Optional.ofNullable(file),
            repair ? Repair.SHARDS : Repair.NOTHING,
            overwrite ? OverwritePolicy.REPLACE : OverwritePolicy.REFUSE,
            Optional.ofNullable(set));
    long start = System.nanoTime();
    DecodeReport report;
    try (ProgressBars bars = new ProgressBars()) {
      report = new ShardDecoder(Kernels.active(), Codes::named).decode(request, bars::at);
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    report.problem().ifPresent(problem -> err().println("braid: " + problem));
    ObjectNode object = ShardReports.json(report).put("seconds", seconds);
    return new CommandResult(
        report.problem().isPresent() ? ExitStatus.FAILED : ExitStatus.DONE,
        object,
        ShardReports.lines(report, seconds));
  }
}
