package org.braid.cli.lab;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.Converters;
import org.braid.cli.command.ExitStatus;
import org.braid.cli.text.Json;
import org.braid.cli.text.TextTable;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.TemporaryFiles;
import org.braid.experiment.text.Sizes;
import org.braid.hdfs.testkit.job.JobKind;
import org.braid.hdfs.testkit.job.JobMain;
import org.braid.hdfs.testkit.job.JobResult;
import org.braid.hdfs.testkit.job.JobSpec;
import org.braid.hdfs.testkit.job.TextContent;
import org.braid.lab.LabRegistry;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "job",
    description = {
      "Runs a MapReduce job on the lab's YARN, with Braid's client, and shows where its tasks ran.",
      "Tasks that read lost blocks run where these are cheapest to rebuild."
    },
    footer = {
      "",
      "Example: the lines with stair of 64 MiB of text, which is written before",
      "  braid lab job grep /text /lines --text 64m"
    })
final class JobCommand extends LabCommand {
  @Parameters(
      index = "0",
      paramLabel = "JOB",
      description = "grep, wordcount, or replay, which copies its input through a shuffle.")
  private String job = "";

  @Parameters(index = "1", paramLabel = "INPUT", description = "A file or a directory of text.")
  private String input = "";

  @Parameters(
      index = "2",
      paramLabel = "OUTPUT",
      description = "The directory of the results; an existing one is replaced.")
  private String output = "";

  @Option(
      names = "--pattern",
      defaultValue = TextContent.WORD,
      paramLabel = "TEXT",
      description = "What grep looks for; default: ${DEFAULT-VALUE}.")
  private String pattern = TextContent.WORD;

  @Option(
      names = "--reducers",
      defaultValue = "1",
      paramLabel = "N",
      converter = Converters.Count.class,
      description = "Number of reduce tasks; default: ${DEFAULT-VALUE}.")
  private int reducers = 1;

  @Option(
      names = "--text",
      paramLabel = "SIZE",
      converter = Converters.Size.class,
      description = "Write a text file of this size to INPUT first.")
  private long text;

  @Option(
      names = "--on",
      defaultValue = "c0",
      paramLabel = "HOST",
      description = "The host of the client that submits; default: ${DEFAULT-VALUE}.")
  private String host = "c0";

  @Override
  CommandResult work() throws ExperimentException, InterruptedException {
    try {
      JobSpec spec = spec();
      // What else the client says must not fill a pipe.
      Path log = TemporaryFiles.here().file("braid-job-", ".log");
      try {
        return run(spec, log);
      } finally {
        Files.deleteIfExists(log);
      }
    } catch (JsonProcessingException e) {
      throw ExperimentException.failed("the job's answer is not understood", e);
    } catch (IOException e) {
      throw ExperimentException.failed("the job's client does not start: " + e.getMessage(), e);
    }
  }

  private CommandResult run(JobSpec spec, Path log)
      throws IOException, ExperimentException, InterruptedException {
    ObjectMapper json = new ObjectMapper();
    Process process =
        LabRegistry.here()
            .jobClient(
                host,
                JobMain.class.getName(),
                List.of(json.writeValueAsString(spec), Long.toString(text)))
            .redirectError(log.toFile())
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw ExperimentException.failed(
          Files.readString(log).lines().reduce((first, last) -> last).orElse("the job failed"));
    }
    return result(json.readValue(said, JobResult.class));
  }

  private JobSpec spec() throws ExperimentException {
    try {
      JobKind kind = JobKind.of(job);
      JobSpec spec = JobSpec.of(kind, input, output, pattern, reducers);
      return kind == JobKind.REPLAY
          ? new JobSpec(job, input, output, pattern, 1, 1, reducers, spec.replication())
          : spec;
    } catch (IllegalArgumentException e) {
      throw ExperimentException.wrong(String.valueOf(e.getMessage()));
    }
  }

  private static CommandResult result(JobResult result) {
    ObjectNode object = Json.of(result).put("ok", true);
    List<String> lines = new ArrayList<>();
    lines.add("%s: %s".formatted(result.id(), Sizes.seconds(result.seconds())));
    TextTable table = new TextTable("task", "host", "rack", ">time", ">rebuilt", ">across racks");
    for (JobResult.Task task : result.tasks()) {
      table.row(
          task.map() ? "map" : "reduce",
          task.host(),
          task.rack(),
          Sizes.seconds(task.seconds()),
          Sizes.format(task.rebuilt()),
          Sizes.format(task.crossRack()));
    }
    lines.addAll(table.lines());
    return new CommandResult(ExitStatus.DONE, object, lines);
  }
}
