package org.braid.hadooptests;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Stores the results in a directory, one file a run, so that a run of hours can be stopped and
 * continued. Each class and side has its first run and the repeated ones, and possibly a failed run
 * concurrent with other classes, which does not count.
 */
final class ResultFiles {
  private static final String END = ".json";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path directory;
  private final Map<TestedHdfs, String> builds;

  private ResultFiles(Path directory, Map<TestedHdfs, String> builds) {
    this.directory = directory;
    this.builds = builds;
  }

  /**
   * Opens the results of a directory, which it creates. For each side only results of this class
   * path count.
   */
  static ResultFiles in(Path directory, HadoopClassPath classPath) throws IOException, Complaint {
    if (Files.exists(directory) && !Files.isDirectory(directory)) {
      throw new Complaint(directory + " is no directory for results");
    }
    Files.createDirectories(directory);
    Map<TestedHdfs, String> builds = new EnumMap<>(TestedHdfs.class);
    for (TestedHdfs side : TestedHdfs.values()) {
      builds.put(side, classPath.build(side));
    }
    return new ResultFiles(directory, builds);
  }

  /** The name of the files of a run; the first is 0. */
  static String run(String name, TestedHdfs side, int number) {
    return name + "." + side.label() + (number == 0 ? "" : "." + number);
  }

  /** The name of the files of a run concurrent with other classes. */
  static String besideRun(String name, TestedHdfs side) {
    return name + "." + side.label() + ".beside";
  }

  /** The runs of a class with a side, in their order. */
  List<ClassRun> runs(String name, TestedHdfs side) throws IOException {
    List<ClassRun> runs = new ArrayList<>();
    while (true) {
      Path file = file(name, side, runs.size());
      if (!Files.exists(file)) {
        return runs;
      }
      ClassRun run = JSON.readValue(file.toFile(), ClassRun.class);
      if (!run.build().equals(builds.get(side))) {
        return runs;
      }
      runs.add(run);
    }
  }

  /** The failed run of a class concurrent with other classes. */
  Optional<ClassRun> beside(String name, TestedHdfs side) throws IOException {
    Path file = besideFile(name, side);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    return Optional.of(JSON.readValue(file.toFile(), ClassRun.class))
        .filter(run -> run.build().equals(builds.get(side)));
  }

  /** How many seconds the newest run of a class with a side took, whatever build ran. */
  OptionalDouble seconds(String name) throws IOException {
    for (TestedHdfs side : TestedHdfs.values()) {
      Path file = file(name, side, 0);
      if (Files.exists(file)) {
        return OptionalDouble.of(JSON.readValue(file.toFile(), ClassRun.class).seconds());
      }
    }
    return OptionalDouble.empty();
  }

  /** Stores a failed run of a class concurrent with other classes. */
  void addBeside(ClassRun run) throws IOException {
    write(run, besideFile(run.name(), run.side()));
  }

  /** Keeps the next run of a class. */
  void add(ClassRun run, int number) throws IOException {
    write(run, file(run.name(), run.side(), number));
    // What ran before with another build is no repetition of this run.
    for (int later = number + 1; Files.deleteIfExists(file(run.name(), run.side(), later)); ) {
      later++;
    }
  }

  /** The classes that have results. */
  List<String> classes() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      String end = "." + TestedHdfs.BRAID.label() + END;
      return List.copyOf(
          new TreeSet<>(
              files
                  .map(file -> file.getFileName().toString())
                  .filter(file -> file.endsWith(end))
                  .map(file -> file.substring(0, file.length() - end.length()))
                  .toList()));
    }
  }

  /** Deletes all runs of a class. */
  void forget(String name) throws IOException {
    for (TestedHdfs side : TestedHdfs.values()) {
      for (int number = 0; Files.deleteIfExists(file(name, side, number)); ) {
        number++;
      }
      Files.deleteIfExists(besideFile(name, side));
    }
  }

  private static void write(ClassRun run, Path file) throws IOException {
    Path written = file.resolveSibling(file.getFileName() + ".new");
    JSON.writerWithDefaultPrettyPrinter().writeValue(written.toFile(), run);
    Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private Path besideFile(String name, TestedHdfs side) {
    return directory.resolve(besideRun(name, side) + END);
  }

  private Path file(String name, TestedHdfs side, int number) {
    return directory.resolve(run(name, side, number) + END);
  }
}
