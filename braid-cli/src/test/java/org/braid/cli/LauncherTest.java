package org.braid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.braid.testing.Await;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The launcher, run with programs that only claim to be Java and Maven. */
@Tag("slow")
final class LauncherTest {
  private static final List<String> TOOLS =
      List.of(
          "sh",
          "cat",
          "dirname",
          "find",
          "flock",
          "head",
          "mkdir",
          "mv",
          "readlink",
          "rm",
          "sed",
          "touch");

  @TempDir Path directory;
  private Path project;
  private Path bin;
  private final Map<String, String> variables = new HashMap<>();

  @BeforeEach
  void copyLauncher() throws IOException {
    project = Files.createDirectories(directory.resolve("a project"));
    bin = Files.createDirectories(directory.resolve("bin"));
    Path launcher = project.resolve("braid");
    Files.copy(Project.root().resolve("braid"), launcher);
    executable(launcher);
    for (String tool : TOOLS) {
      Path real = Path.of("/usr/bin", tool);
      script(
          bin.resolve(tool),
          "exec " + (Files.exists(real) ? real : Path.of("/bin", tool)) + " \"$@\"");
    }
  }

  private static void executable(Path file) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private void script(Path file, String... lines) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/sh\n" + String.join("\n", lines) + "\n");
    executable(file);
  }

  /** A Java that tells its version, and otherwise prints its arguments and returns 3. */
  private void java(Path file, String version) throws IOException {
    script(
        file,
        "[ \"$1\" != -version ] || { echo 'openjdk version \""
            + version
            + "\" 2020-01-01' >&2; exit; }",
        "for word in \"$@\"; do echo \"<$word>\"; done",
        "exit 3");
  }

  /** Puts a JDK in the path. */
  private void jdk() throws IOException {
    java(bin.resolve("jdk/bin/java"), "21");
    java(bin.resolve("jdk/bin/javac"), "21");
    Files.createSymbolicLink(bin.resolve("java"), Path.of("jdk/bin/java"));
  }

  private void maven(String version) throws IOException {
    script(
        bin.resolve("mvn"),
        "case \"$*\" in *-v*) printf '\\033[1mApache Maven " + version + "\\033[m\\n'; exit;; esac",
        "echo built in \"$(pwd)\" \"$@\" with $MAVEN_OPTS",
        "mkdir -p braid-cli/target/lib",
        "touch braid-cli/target/braid-cli-1.jar");
  }

  private void built() throws IOException {
    Files.createDirectories(project.resolve("braid-cli/target/lib"));
    Path source = project.resolve("braid-x/src/main/java/X.java");
    Files.createDirectories(source.getParent());
    Files.writeString(source, "");
    Files.writeString(project.resolve("braid-cli/target/braid-cli-1.jar"), "");
    Instant now = Instant.now();
    try (var all = Files.walk(project)) {
      for (Path path : all.toList()) {
        Files.setLastModifiedTime(path, FileTime.from(now.minus(Duration.ofHours(2))));
      }
    }
    Files.setLastModifiedTime(
        project.resolve("braid-cli/target/braid-cli-1.jar"),
        FileTime.from(now.minus(Duration.ofHours(1))));
  }

  private Run launch(Path launcher, String... args) throws Exception {
    Path out = directory.resolve("out");
    Path err = directory.resolve("err");
    return ended(start(launcher, out, err, args), out, err);
  }

  private static Run ended(Process process, Path out, Path err) throws Exception {
    int status = process.waitFor();
    return new Run(
        status,
        Files.readString(out, StandardCharsets.UTF_8),
        Files.readString(err, StandardCharsets.UTF_8));
  }

  private Process start(Path launcher, Path out, Path err, String... args) throws IOException {
    List<String> command = new ArrayList<>(List.of(launcher.toString()));
    command.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.directory(directory.toFile());
    builder.environment().clear();
    builder.environment().put("PATH", bin.toString());
    builder.environment().putAll(variables);
    builder.redirectOutput(out.toFile()).redirectError(err.toFile());
    return builder.start();
  }

  @ParameterizedTest
  @CsvSource({"11.0.2", "1.8.0_292", "16", "9-ea"})
  void olderJavaIsRefused(String version) throws Exception {
    java(bin.resolve("java"), version);
    Run run = launch(project.resolve("braid"), "demo");
    assertEquals(1, run.status());
    assertEquals("", run.out());
    assertEquals(
        "braid: needs Java 17 or newer, " + bin.resolve("java") + " is " + version + "\n",
        run.err());
  }

  @Test
  void missingJavaIsNamed() throws Exception {
    Run run = launch(project.resolve("braid"), "demo");
    assertEquals(1, run.status());
    assertEquals(
        "braid: needs Java 17 or newer, found none: install a JDK or set JAVA_HOME\n", run.err());
  }

  @Test
  void whatIsBuiltRunsFromAnywhere() throws Exception {
    built();
    java(bin.resolve("java"), "25.0.1");
    Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of("a project/braid"));
    Run run = launch(link, "convert", "a b", "", "$x*");
    assertEquals(3, run.status(), run.err());
    assertEquals("", run.err());
    List<String> words = run.out().lines().toList();
    int main = words.indexOf("<org.braid.cli.Main>");
    assertEquals(
        List.of("<convert>", "<a b>", "<>", "<$x*>"), words.subList(main + 1, words.size()));
    Path target = project.toRealPath().resolve("braid-cli/target");
    assertEquals("<" + target + "/braid-cli-1.jar:" + target + "/lib/*>", words.get(main - 1));
    assertTrue(words.contains("<--enable-native-access=ALL-UNNAMED>"), run.out());
  }

  /** Hadoop looks there for more than a command reads itself, as for ssl-client.xml. */
  @Test
  void theDirectoryOfHadoopsConfigurationIsOnTheClassPath() throws Exception {
    built();
    java(bin.resolve("java"), "21");
    Path jars = project.toRealPath().resolve("braid-cli/target");
    variables.put("HADOOP_CONF_DIR", "/etc/my hadoop");
    Run run = launch(project.resolve("braid"), "check");
    assertTrue(
        run.out().contains("<" + jars + "/braid-cli-1.jar:/etc/my hadoop:" + jars + "/lib/*>"),
        run.out());
    // An empty element would be the present directory.
    variables.put("HADOOP_CONF_DIR", "");
    run = launch(project.resolve("braid"), "check");
    assertTrue(run.out().contains("<" + jars + "/braid-cli-1.jar:" + jars + "/lib/*>"), run.out());
  }

  /** Names another Hadoop, of which nothing is built. */
  private void otherHadoop() throws IOException {
    Path pom = project.resolve("braid-hadoop/3.4.3/pom.xml");
    Files.createDirectories(pom.getParent());
    Files.writeString(pom, "");
    Files.setLastModifiedTime(pom, FileTime.from(Instant.now().minus(Duration.ofHours(2))));
    variables.put("BRAID_HADOOP", "3.4.3");
  }

  /** It may have been stopped amid one of the jars that all commands run with. */
  @Test
  void whatABuildForAnotherHadoopLeftThatDidNotEndIsBuiltAgain() throws Exception {
    built();
    jdk();
    script(
        bin.resolve("mvn"),
        "case \"$*\" in *-v*) echo Apache Maven 3.9.9; exit;; *braid-hadoop*) exit 137;; esac",
        "touch braid-cli/target/braid-cli-1.jar");
    otherHadoop();
    Run broken = launch(project.resolve("braid"), "lab", "status");
    assertEquals(1, broken.status(), broken.err());
    variables.remove("BRAID_HADOOP");
    Run next = launch(project.resolve("braid"), "status");
    assertEquals(3, next.status(), next.err());
    assertTrue(next.err().startsWith("braid: building (a build did not end)"), next.err());
    assertEquals("", launch(project.resolve("braid"), "status").err());
  }

  @Test
  void commandsRunWithTheHadoopThatIsNamed() throws Exception {
    built();
    jdk();
    script(
        bin.resolve("mvn"),
        "case \"$*\" in *-v*) echo Apache Maven 3.9.9; exit;; esac",
        "echo made \"$@\"",
        "mkdir -p braid-hadoop/3.4.3/target/lab");
    otherHadoop();
    Run first = launch(project.resolve("braid"), "lab", "status");
    assertEquals(3, first.status(), first.err());
    assertTrue(
        first.err().startsWith("braid: building for Hadoop 3.4.3, which may take minutes\nmade "),
        first.err());
    assertTrue(first.err().contains("-Dbraid.lab -pl braid-hadoop/3.4.3 -am"), first.err());
    Path home = project.toRealPath();
    assertTrue(
        first
            .out()
            .contains(
                "<"
                    + home.resolve("braid-cli/target/braid-cli-1.jar")
                    + ":"
                    + home.resolve("braid-hadoop/3.4.3/target/lab")
                    + "/*>"),
        first.out());
    assertEquals("", launch(project.resolve("braid"), "lab", "status").err());
    for (String unknown : List.of("3.3.6", "..", "3.4.3/../3.4.3")) {
      variables.put("BRAID_HADOOP", unknown);
      Run run = launch(project.resolve("braid"), "lab", "status");
      assertEquals(1, run.status());
      assertEquals(
          "braid: BRAID_HADOOP=" + unknown + ": braid-hadoop has no such version\n", run.err());
    }
  }

  @Test
  void flagsThatJava17DoesNotKnowAreLeftOut() throws Exception {
    built();
    java(bin.resolve("java"), "17.0.1");
    Run run = launch(project.resolve("braid"));
    assertFalse(run.out().contains("unsafe"), run.out());
    assertFalse(run.out().contains("native-access"), run.out());
    assertTrue(run.out().contains("<--add-opens=java.base/java.lang=ALL-UNNAMED>"), run.out());
  }

  @ParameterizedTest
  @CsvSource({"LANG, C, C.UTF-8", "LC_ALL, POSIX, C.UTF-8", "LANG, en_US.UTF-8, none"})
  void wordsAndFilesMayHaveAnyNameInTheLocaleC(String variable, String value, String all)
      throws Exception {
    built();
    script(
        bin.resolve("java"),
        "[ \"$1\" != -version ] || { echo 'openjdk version \"21\"' >&2; exit; }",
        "echo \"${LC_ALL:-none}\"");
    variables.put(variable, value);
    Run run = launch(project.resolve("braid"), "status");
    assertEquals(all + "\n", run.out(), run.err());
  }

  @Test
  void buildsWhatIsMissingOrStaleAndOnlyThen() throws Exception {
    jdk();
    maven("3.9.9");
    Run first = launch(project.resolve("braid"));
    assertEquals(3, first.status(), first.err());
    assertTrue(
        first
            .err()
            .startsWith("braid: building (not built yet), which may take minutes\nbuilt in "),
        first.err());
    assertTrue(first.err().contains("built in " + project.toRealPath() + " -B -q"), first.err());
    assertEquals("", launch(project.resolve("braid")).err());
    Path source = project.resolve("braid-x/src/main/java/X.java");
    Files.createDirectories(source.getParent());
    Files.writeString(source, "");
    Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(60)));
    Run stale = launch(project.resolve("braid"));
    assertTrue(stale.err().startsWith("braid: building (braid-x"), stale.err());
  }

  /** No code of colors is in a log, and options of whoever builds stay. */
  @Test
  void mavenIsToldToLeaveColorsAlone() throws Exception {
    jdk();
    maven("3.9.9");
    variables.put("MAVEN_OPTS", "-Xmx1g");
    Run run = launch(project.resolve("braid"));
    assertTrue(run.err().contains(" -Dstyle.color=never "), run.err());
    assertTrue(run.err().contains(" with -Xmx1g -Djansi.noreset=true\n"), run.err());
  }

  /** In the order of names, 10 comes before 9. */
  @Test
  void jarsOfAnotherVersionDoNotRun() throws Exception {
    jdk();
    script(
        bin.resolve("mvn"),
        "case \"$*\" in *-v*) echo Apache Maven 3.9.9; exit;; esac",
        "mkdir -p braid-cli/target/lib",
        "touch braid-cli/target/braid-cli-10.jar braid-cli/target/lib/braid-x-10.jar");
    built();
    Path target = project.toRealPath().resolve("braid-cli/target");
    Files.move(target.resolve("braid-cli-1.jar"), target.resolve("braid-cli-9.jar"));
    Files.writeString(target.resolve("lib/braid-x-9.jar"), "");
    Files.writeString(project.resolve("pom.xml"), "");
    Run run = launch(project.resolve("braid"));
    assertTrue(run.err().startsWith("braid: building (pom.xml is newer)"), run.err());
    assertTrue(run.out().contains("<" + target + "/braid-cli-10.jar:"), run.out());
    assertFalse(Files.exists(target.resolve("lib/braid-x-9.jar")));
    // Whoever builds by hand leaves both.
    Files.writeString(target.resolve("braid-cli-9.jar"), "");
    run = launch(project.resolve("braid"));
    assertTrue(run.err().startsWith("braid: building (there are jars of several"), run.err());
    assertTrue(run.out().contains("<" + target + "/braid-cli-10.jar:"), run.out());
    assertEquals("", launch(project.resolve("braid")).err());
  }

  /**
   * Maven blocks until the test opens a pipe, so that the second run meets the first one's build.
   */
  @Test
  void ofTwoFirstRunsOneBuildsAndTheOtherWaits() throws Exception {
    assertOneBuildsAndTheOtherWaits();
  }

  @Test
  void ofTwoFirstDrillsOneMakesTheReleaseAndTheOtherWaits() throws Exception {
    built();
    assertOneBuildsAndTheOtherWaits("lab", "install-drill");
    Path err = directory.resolve("err1");
    assertTrue(Files.readString(err).startsWith("braid: making a release\n"));
  }

  private void assertOneBuildsAndTheOtherWaits(String... args) throws Exception {
    jdk();
    Path pipe = directory.resolve("pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    script(
        bin.resolve("mvn"),
        "case \"$*\" in *-v*) echo Apache Maven 3.9.9; exit;; esac",
        "mkdir -p braid-cli/target/lib target",
        "touch braid-cli/target/braid-cli-1.jar target/braid-1.tar.gz",
        "echo begun >&2",
        "cat '" + pipe + "'");
    Path launcher = project.resolve("braid");
    Path err1 = directory.resolve("err1");
    Path err2 = directory.resolve("err2");
    Process first = start(launcher, directory.resolve("out1"), err1, args);
    Await.until("a build", () -> Files.readString(err1), said -> said.contains("begun"));
    Process second = start(launcher, directory.resolve("out2"), err2, args);
    Await.until("a wait", () -> Files.readString(err2), said -> !said.isEmpty());
    Files.writeString(pipe, "");
    assertEquals(3, ended(first, directory.resolve("out1"), err1).status());
    Run other = ended(second, directory.resolve("out2"), err2);
    assertEquals(3, other.status());
    assertEquals("braid: waiting for another run that builds\n", other.err());
  }

  @Test
  void olderMavenAndMissingCompilerAreRefused() throws Exception {
    java(bin.resolve("jdk/bin/java"), "21");
    Files.createSymbolicLink(bin.resolve("java"), Path.of("jdk/bin/java"));
    Run jre = launch(project.resolve("braid"));
    assertEquals(1, jre.status());
    assertTrue(jre.err().startsWith("braid: needs a JDK 17 or newer to build, "), jre.err());
    java(bin.resolve("jdk/bin/javac"), "21");
    Run none = launch(project.resolve("braid"));
    assertEquals(
        "braid: needs Maven 3.8 or newer to build, found none: install Maven\n", none.err());
    maven("3.6.3");
    Run old = launch(project.resolve("braid"));
    assertEquals(1, old.status());
    assertEquals(
        "braid: needs Maven 3.8 or newer to build, " + bin.resolve("mvn") + " is 3.6.3\n",
        old.err());
  }
}
