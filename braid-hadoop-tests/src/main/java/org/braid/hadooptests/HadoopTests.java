package org.braid.hadooptests;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The program. */
@Command(
    name = "hadoop-tests",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Runs Hadoop's own tests of HDFS with stock HDFS and with Braid, and compares test by test.",
      "It shows that Braid changes nothing that Hadoop promises.",
      "Results stay in a directory: start it again to go on where it was stopped."
    },
    footer = {
      "",
      "Example: braid-hadoop-tests/run TestQuota 'org.apache.hadoop.hdfs.TestDFS*'",
      "         braid-hadoop-tests/run --jobs 3 --stock needed --page docs/HADOOP-TESTS.md --missing all"
    },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:no test fails with Braid alone, but for those that are expected to",
      "1:some do, or a class that does not pass with Braid ended before its tests without it",
      "2:wrong usage"
    })
public final class HadoopTests implements Callable<Integer> {
  private static final String KNOWN = "known-differences.txt";
  private static final String RACY = "racy-tests.txt";
  private static final String WITHOUT_RESULTS = "without-results.txt";

  @Parameters(
      paramLabel = "CLASS",
      arity = "0..*",
      description = "classes, with or without package, with * for any characters; or all")
  private List<String> classes = new ArrayList<>();

  @Option(names = "--list", description = "name the classes, run none")
  private boolean list;

  @Option(names = "--report", description = "say what results there are, run nothing")
  private boolean report;

  @Option(
      names = "--results",
      paramLabel = "DIR",
      description = "where results are, ${DEFAULT-VALUE}")
  private Path results = Path.of("target", "hadoop-tests");

  @Option(names = "--again", description = "forget the results of these classes first")
  private boolean again;

  @Option(
      names = "--jobs",
      paramLabel = "N",
      description = {
        "classes at once, ${DEFAULT-VALUE}, as many as the memory is enough for;",
        "what fails beside others, which may have its port or its time, runs again alone"
      })
  private int jobs = 1;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      description = "how long a class may take, ${DEFAULT-VALUE} as in Hadoop's build")
  private int timeout = 900;

  @Option(
      names = "--repeat",
      paramLabel = "N",
      description = "how often classes that differ run again on both sides, ${DEFAULT-VALUE}")
  private int repeat = 1;

  @Option(
      names = "--stock",
      paramLabel = "WHEN",
      description = {
        "which classes run with stock HDFS, too: always, or needed, those that do not pass whole",
        "with Braid, which takes half the time and finds the same differences; ${DEFAULT-VALUE}"
      })
  private StockRuns stock = StockRuns.ALWAYS;

  @Option(names = "--json", description = "print one JSON object")
  private boolean json;

  @Option(
      names = "--page",
      paramLabel = "FILE",
      description = {
        "keep the results on a page, too, after each class;",
        "what it says of classes that have no results here stays"
      })
  private @Nullable Path page;

  @Option(
      names = "--missing",
      description = "leave out the classes that are on the page, but those that differ there")
  private boolean missing;

  private final PrintStream output;
  private final PrintStream progress;

  HadoopTests(PrintStream output, PrintStream progress) {
    this.output = output;
    this.progress = progress;
  }

  /** Runs the program. */
  public static void main(String[] arguments) {
    System.exit(run(System.out, System.err, arguments));
  }

  /** Runs the program and returns its exit status. */
  static int run(PrintStream output, PrintStream progress, String... arguments) {
    CommandLine line = new CommandLine(new HadoopTests(output, progress));
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setOut(new PrintWriter(output, true, StandardCharsets.UTF_8));
    line.setErr(new PrintWriter(progress, true, StandardCharsets.UTF_8));
    line.setExecutionExceptionHandler(
        (failure, command, parsed) -> {
          if (failure instanceof Complaint || failure instanceof IOException) {
            progress.println("hadoop-tests: " + failure.getMessage());
            return failure instanceof Complaint ? 2 : 1;
          }
          throw failure;
        });
    return line.execute(arguments);
  }

  @Override
  public Integer call() throws IOException, InterruptedException, Complaint {
    if (jobs < 1 || timeout < 1 || repeat < 0) {
      throw new Complaint("--jobs and --timeout are at least 1, --repeat at least 0");
    }
    if (missing && page == null) {
      throw new Complaint("--missing wants the --page that classes are missing on");
    }
    HadoopClassPath classPath = HadoopClassPath.ofThisProcess();
    TestClasses all = TestClasses.in(classPath.jar("hadoop-hdfs-", "-tests.jar"));
    if (list) {
      (classes.isEmpty() ? all.names() : all.chosen(classes)).forEach(output::println);
      return 0;
    }
    ResultFiles kept = ResultFiles.in(results, classPath);
    if (classes.isEmpty() && !report) {
      throw new Complaint("name classes of Hadoop's tests, or all; --list names them");
    }
    List<String> names = classes.isEmpty() ? kept.classes() : all.chosen(classes);
    Comparison comparison = new Comparison(known(), racy());
    Report earlier = earlier(comparison);
    String hadoop = classPath.hadoop();
    KnownDifferences without = withoutResults();
    try (Fork fork = fork(classPath)) {
      Runtime.getRuntime().addShutdownHook(new Thread(fork::close));
      Runner runner = new Runner(fork, kept, comparison, stock, progress);
      Runner.Listener listener =
          () -> write(runner.report(names).after(earlier), hadoop, all, without);
      if (!report) {
        List<String> wanted = missing ? earlier.open(names) : names;
        run(runner, kept, all.shortFirst(wanted, seconds(wanted, kept, earlier)), listener);
      }
      listener.changed();
      return say(runner.report(names).after(earlier));
    }
  }

  private Report earlier(Comparison comparison) throws IOException, Complaint {
    Path source = page;
    return source == null || !Files.exists(source)
        ? Report.EMPTY
        : Page.parse(Files.readString(source), comparison);
  }

  private static Map<String, Double> seconds(List<String> names, ResultFiles kept, Report earlier)
      throws IOException {
    Map<String, Double> seconds = new HashMap<>();
    earlier
        .rows()
        .forEach(row -> seconds.put(row.name(), row.stock().orElse(row.braid()).seconds()));
    for (String name : names) {
      kept.seconds(name).ifPresent(known -> seconds.put(name, known));
    }
    return seconds;
  }

  private void run(Runner runner, ResultFiles kept, List<String> names, Runner.Listener listener)
      throws IOException, InterruptedException {
    if (again) {
      for (String name : names) {
        kept.forget(name);
      }
    }
    int most = Fork.mostAtOnce(memory());
    if (jobs > most) {
      progress.printf("the memory of this machine is enough for %d classes at once%n", most);
    }
    runner.run(names, Math.min(jobs, most), repeat, listener);
  }

  private static long memory() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getTotalMemorySize();
  }

  private void write(Report found, String hadoop, TestClasses all, KnownDifferences without)
      throws IOException {
    Path target = page;
    if (target != null) {
      Path written = target.resolveSibling(target.getFileName() + ".new");
      Files.writeString(written, Page.text(found, hadoop, all.names(), without));
      Files.move(written, target, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  private Fork fork(HadoopClassPath classPath) throws IOException, Complaint {
    Path directory = results.toAbsolutePath();
    TestFiles files =
        TestFiles.unpack(
            classPath.jar("hadoop-hdfs-", "-test-sources.jar"), directory.resolve("files"));
    return new Fork(
        classPath,
        files,
        directory,
        Duration.ofSeconds(timeout),
        Map.of(),
        System.getProperty("braid.commit", ""));
  }

  private int say(Report found) throws IOException {
    if (json) {
      output.println(new ObjectMapper().writeValueAsString(found.json()));
    } else {
      output.print(found.text());
    }
    output.flush();
    return found.holds() ? 0 : 1;
  }

  /** The differences that are expected. */
  static KnownDifferences known() throws IOException, Complaint {
    return listed(KNOWN);
  }

  /** The tests that fail by chance. */
  static KnownDifferences racy() throws IOException, Complaint {
    return listed(RACY);
  }

  /** Why classes have no results. */
  static KnownDifferences withoutResults() throws IOException, Complaint {
    return listed(WITHOUT_RESULTS);
  }

  private static KnownDifferences listed(String file) throws IOException, Complaint {
    try (InputStream lines = Objects.requireNonNull(HadoopTests.class.getResourceAsStream(file))) {
      return KnownDifferences.parse(
          new String(lines.readAllBytes(), StandardCharsets.UTF_8).lines().toList());
    }
  }
}
