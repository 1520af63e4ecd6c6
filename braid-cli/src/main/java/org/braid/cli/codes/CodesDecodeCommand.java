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
      "Restores a file from any sufficient set of its shards, and lists missing and"
          + " damaged shards.",
      "A damaged cell counts as lost only in its own stripe. The file appears only"
          + " when its SHA-256 is correct.",
      "With --repair but without --out, it reads only the bytes that the missing"
          + " and damaged shards need. If names, headers and lengths show no damage, it"
          + " reads and verifies all shards.",
      "An interrupted run may leave a complete shard under a hidden name; decode uses"
          + " it, and --repair gives it its name."
    },
    footer = {
      "",
      "Example: restore a file and rebuild the lost shards",
      "  braid codes decode shards --out backup.tar --repair"
    })
final class CodesDecodeCommand extends BaseCommand {
  @Parameters(
      paramLabel = "DIR",
      description = "Directory that contains the shards or the racks' directories with shards.")
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
          "Leading digits of the id of the shard set to decode; required when DIR"
              + " contains several sets that can be restored.")
  private @Nullable String set;

  @Option(
      names = "--overwrite",
      description = "Replace FILE if it is a regular file, or the file that it is a link to.")
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
