package org.braid.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.braid.cli.bench.planning.BenchGroup;
import org.braid.cli.cluster.ClusterCommands;
import org.braid.cli.cluster.base.ClusterConnector;
import org.braid.cli.codes.CodesCommand;
import org.braid.cli.command.BaseCommand;
import org.braid.cli.command.CommandGroup;
import org.braid.cli.command.Converters;
import org.braid.cli.command.ExitStatus;
import org.braid.cli.command.Termination;
import org.braid.cli.command.Version;
import org.braid.cli.lab.LabGroup;
import org.braid.cli.place.PlaceCommand;
import org.braid.cli.plan.PlanCommand;
import org.braid.cli.sim.AdviseCommand;
import org.braid.cli.sim.SimGroup;
import org.braid.cli.text.Json;
import org.braid.hdfs.Braid;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ScopeType;

/** The program {@code braid}. */
@Command(
    name = "braid",
    description = "In-place erasure coding for unmodified HDFS.",
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    versionProvider = Version.class,
    usageHelpAutoWidth = true,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:done",
      "1:the work failed or a comparison did not hold",
      "2:wrong usage",
      "3:refused, a promise could not be kept",
      "130:stopped by Ctrl-C"
    })
public final class Main extends CommandGroup {
  private Main() {}

  /** Runs a command and ends the process. */
  public static void main(String[] args) {
    // Other hosts and scripts read what is written here.
    Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT);
    Termination termination = Termination.ofProcess();
    OutputStream out = new FileOutputStream(FileDescriptor.out); // System.out keeps its errors
    int status = run(args, out, System.err, Braid::connect, termination);
    System.out.flush();
    termination.ended(status);
    // Hadoop leaves threads behind.
    System.exit(status);
  }

  /** Runs a command; returns its exit status. */
  static int run(
      String[] args,
      OutputStream out,
      OutputStream err,
      ClusterConnector connector,
      Termination termination) {
    List<String> words = Arrays.asList(args);
    boolean verbose = words.contains(BaseCommand.VERBOSE);
    boolean json = words.contains(BaseCommand.JSON);
    logging(verbose, words.contains(DemoCommand.NAME) || words.contains("read"));
    CommandLine line = commandLine(connector, termination);
    Output output = new Output(out);
    PrintWriter results = writer(output);
    PrintWriter messages = writer(err);
    line.setOut(results);
    line.setErr(messages);
    line.setParameterExceptionHandler(
        (e, wrong) -> {
          String command = e.getCommandLine().getCommandSpec().qualifiedName();
          String reason = Misspelling.line(e);
          fail(reason + " (see " + command + " --help)", json, results, messages);
          return ExitStatus.USAGE;
        });
    line.setExecutionExceptionHandler(
        (e, failed, parsed) -> {
          fail(CommandErrors.line(e), json, results, messages);
          if (verbose) {
            e.printStackTrace(messages);
          }
          return CommandErrors.status(e);
        });
    int status;
    try {
      status = line.execute(args);
    } catch (OutOfMemoryError | LinkageError e) {
      fail(CommandErrors.line(e), json, results, messages);
      status = ExitStatus.FAILED;
    }
    // This flushes, too. Whoever closes a pipe has what is needed.
    if (results.checkError() && status == ExitStatus.DONE && !output.isUnread()) {
      messages.println("braid: the result could not be written to standard output");
      status = ExitStatus.FAILED;
    }
    messages.flush();
    return status;
  }

  static CommandLine commandLine(ClusterConnector connector, Termination termination) {
    CommandLine line = new CommandLine(new Main());
    line.addSubcommand(new DemoCommand());
    ClusterCommands.addTo(line, connector, termination);
    line.addSubcommand(new CodesCommand());
    line.addSubcommand(new PlaceCommand());
    line.addSubcommand(new PlanCommand());
    line.addSubcommand(new BenchGroup());
    line.addSubcommand(LabGroup.commandLine(termination));
    line.addSubcommand(SimGroup.commandLine(termination));
    line.addSubcommand(new AdviseCommand());
    Converters.register(line);
    return line;
  }

  private static void fail(String reason, boolean json, PrintWriter out, PrintWriter err) {
    err.println("braid: " + reason);
    err.flush();
    if (json) {
      Json.write(Json.object().put("ok", false).put("error", reason), out);
      out.flush();
    }
  }

  /** Must come before the first class that logs. */
  private static void logging(boolean verbose, boolean demo) {
    // A demo stops DataNodes on purpose, and Hadoop calls that an error many times over.
    String hadoop = verbose ? "WARN" : demo ? "OFF" : "ERROR";
    // Of a file that it cannot read it logs a stack trace, and Braid says the same in its own line.
    setUnlessSet(
        "braid.log.configuration",
        System.getProperty("braid.log.hadoop", verbose ? hadoop : "OFF"));
    setUnlessSet("braid.log.hadoop", hadoop);
    setUnlessSet("braid.log.braid", demo && !verbose ? "ERROR" : "WARN");
  }

  private static void setUnlessSet(String property, String value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, value);
    }
  }

  private static PrintWriter writer(OutputStream stream) {
    return new PrintWriter(stream, true, StandardCharsets.UTF_8);
  }
}
