package org.braid.cli.codes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.braid.cli.Bars;
import org.braid.cli.BaseCommand;
import org.braid.cli.CodeArgument;
import org.braid.cli.Converters;
import org.braid.cli.ExitStatus;
import org.braid.cli.Outcome;
import org.braid.experiment.text.Sizes;
import org.braid.kernel.Kernels;
import org.braid.shard.EncodeReport;
import org.braid.shard.EncodeRequest;
import org.braid.shard.Existing;
import org.braid.shard.ShardEncoder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "encode",
    description = {
      "Cuts a local file into shards, one for each block of the code.",
      "Shards are named FILE.BB.shard, BB being the block; a code with racks has a directory for"
          + " each: rackR/FILE.BB.shard. No shard that is there is written over."
    },
    footer = {
      "",
      "Example: nine shards, any six of which are enough",
      "  braid codes encode rs-6-3 backup.tar --out shards"
    })
final class EncodeCommand extends BaseCommand {
  @Mixin
  @SuppressWarnings("NullAway.Init")
  private CodeArgument argument;

  @Parameters(index = "1", paramLabel = "FILE", description = "The file.")
  @SuppressWarnings("NullAway.Init")
  private Path file;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "DIR",
      description = "Where the shards go; made where it does not exist.")
  @SuppressWarnings("NullAway.Init")
  private Path directory;

  @Option(
      names = "--cell",
      paramLabel = "SIZE",
      defaultValue = "64k",
      converter = Converters.Size.class,
      description =
          "Bytes of a cell, the unit that is verified, lost and rebuilt; default:"
              + " ${DEFAULT-VALUE}.")
  private long cell;

  @Option(names = "--overwrite", description = "Replace the shards of a file of the same name.")
  private boolean overwrite;

  @Override
  protected Outcome perform() throws IOException {
    Existing existing = overwrite ? Existing.REPLACE : Existing.KEEP;
    int cellBytes = (int) Math.min(cell, Integer.MAX_VALUE);
    EncodeRequest request =
        new EncodeRequest(argument.code(), file, directory, cellBytes, existing);
    try {
      request.fullCell();
    } catch (IllegalArgumentException e) {
      throw wrong("--cell " + cell + ": " + e.getMessage());
    }
    long start = System.nanoTime();
    EncodeReport report;
    try (Bars bars = new Bars()) {
      report = new ShardEncoder(Kernels.active()).encode(request, bars::at);
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    ObjectNode object = ShardReports.json(report).put("seconds", seconds);
    String line =
        "%s, %s, cut into %d shards of %s in %s: set %s, %s written in %s"
            .formatted(
                report.file(),
                Sizes.format(report.bytes()),
                report.shards().size(),
                report.code(),
                report.directory(),
                report.set().substring(0, 8),
                Sizes.format(report.bytesWritten()),
                Sizes.seconds(seconds));
    return new Outcome(ExitStatus.DONE, object, List.of(line, "SHA-256 " + report.sha256()));
  }
}
