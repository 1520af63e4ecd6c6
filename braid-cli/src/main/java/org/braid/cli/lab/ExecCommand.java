package org.braid.cli.lab;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.Termination;
import org.braid.cli.text.Json;
import org.braid.experiment.ExperimentException;
import org.braid.lab.LabRegistry;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "exec",
    description = {
      "Runs a program on a host of the lab, in the present directory. Its exit status is this one's.",
      "HADOOP_CONF_DIR names the lab's configuration, so that braid and Hadoop's own commands find"
          + " the lab's NameNode."
    },
    footer = {
      "",
      "Example: what is stored in the lab",
      "  braid lab exec -- ./braid status",
      "Example: the same as a client without Braid sees it",
      "  braid lab exec --on c0 -- hdfs dfs -ls -R /"
    })
final class ExecCommand extends LabCommand {
  @Option(
      names = "--on",
      defaultValue = "c0",
      paramLabel = "HOST",
      description =
          "The host: c0, ... are clients, nn the NameNode, others as braid lab status names"
              + " them; default: ${DEFAULT-VALUE}.")
  private String host = "c0";

  @Parameters(
      arity = "1..*",
      paramLabel = "COMMAND",
      description = "The program and its arguments, after --.")
  private List<String> command = new ArrayList<>();

  private final Termination termination;

  ExecCommand(Termination termination) {
    this.termination = termination;
  }

  @Override
  CommandResult work() throws ExperimentException, InterruptedException {
    ProcessBuilder program = LabRegistry.here().program(host, command).inheritIO();
    if (printsJson()) {
      program.command().addAll(0, List.of("sh", "-c", "exec \"$@\" >&2", "sh"));
    }
    Process process;
    try {
      process = program.start();
    } catch (IOException e) {
      throw ExperimentException.failed(command.get(0) + " does not start", e);
    }
    // Ctrl-C ends this process, and what it waits for is asked to end, too.
    termination.arm(() -> endAll(process.toHandle()));
    int status = process.waitFor();
    return new CommandResult(
        status, Json.object().put("ok", status == 0).put("status", status), List.of());
  }

  /** Asks the program to end, behind all that only wait for it and take its exit status. */
  private static void endAll(ProcessHandle process) {
    List<ProcessHandle> children = process.children().toList();
    children.forEach(ExecCommand::endAll);
    if (children.isEmpty()) {
      process.destroy();
    }
  }
}
