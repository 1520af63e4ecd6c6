package org.braid.cli.codes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.braid.cli.command.BaseCommand;
import org.braid.cli.command.CodeArgument;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.Converters;
import org.braid.cli.command.ExitStatus;
import org.braid.cli.command.ProgressBars;
import org.braid.experiment.text.Sizes;
import org.braid.kernel.Kernels;
import org.braid.shard.encode.EncodeReport;
import org.braid.shard.encode.EncodeRequest;
import org.braid.shard.encode.ShardEncoder;
import org.braid.shard.io.OverwritePolicy;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "encode",
    description = {
      "Encodes a local file into shards, one for each block of the code.",
      "A shard is named FILE.BB.shard, where BB is the position of its block. A"
          + " code with racks has a directory for each rack: rackR/FILE.BB.shard."
          + " A FILE name of more than 200 bytes is cut and ends in a digest."
          + " Existing shards stay unless --overwrite is given; if overwriting fails, they stay too."
    },
    footer = {
      "",
      "Example: nine shards, of which any six make the file again",
      "  braid codes encode rs-6-3 backup.tar --out shards"
    })
final class CodesEncodeCommand extends BaseCommand {
  @Mixin private final CodeArgument argument = new CodeArgument();

  @Parameters(index = "1", paramLabel = "FILE", description = "The file to encode.")
  @SuppressWarnings("NullAway.Init")
  private Path file;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "DIR",
      description = "Directory for the shards; created if it does not exist.")
  @SuppressWarnings("NullAway.Init")
  private Path directory;

  @Option(
      names = "--cell",
      paramLabel = "SIZE",
      defaultValue = "64k",
      converter = Converters.Size.class,
      description =
          "Bytes of a cell, the unit of verification and repair: with smaller cells,"
              + " damage loses less; default: ${DEFAULT-VALUE}.")
  private long cell;

  @Option(
      names = "--overwrite",
      description =
          "Replace existing shards of a file of the same name. Where a shard is a symbolic link to a"
              + " file, that file is replaced and the link stays, also if the file is missing; only a"
              + " link into a missing directory is replaced itself. A link to a file that is neither"
              + " empty nor a shard is refused.")
  private boolean overwrite;

  @Override
  protected CommandResult perform() throws IOException {
    OverwritePolicy policy = overwrite ? OverwritePolicy.REPLACE : OverwritePolicy.REFUSE;
    int cellBytes = (int) Math.min(cell, Integer.MAX_VALUE);
    EncodeRequest request = new EncodeRequest(argument.code(), file, directory, cellBytes, policy);
    try {
      request.fullCell();
    } catch (IllegalArgumentException e) {
      throw wrong("--cell " + cell + ": " + e.getMessage());
    }
    long start = System.nanoTime();
    EncodeReport report;
    try (ProgressBars bars = new ProgressBars()) {
      report = new ShardEncoder(Kernels.active()).encode(request, bars::at);
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    ObjectNode object = ShardReports.json(report).put("seconds", seconds);
    String line =
        "%s, %s, encoded into %d shards of %s in %s: set %s, %s written in %s"
            .formatted(
                report.file(),
                Sizes.format(report.bytes()),
                report.shards().size(),
                report.code(),
                report.directory(),
                report.set().substring(0, 8),
                Sizes.format(report.bytesWritten()),
                Sizes.seconds(seconds));
    return new CommandResult(ExitStatus.DONE, object, List.of(line, "SHA-256 " + report.sha256()));
  }
}
