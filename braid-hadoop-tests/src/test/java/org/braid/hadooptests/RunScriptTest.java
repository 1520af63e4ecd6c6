package org.braid.hadooptests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script that starts the program, with programs that only claim to be Java and Maven. */
final class RunScriptTest {
  private static final String SOURCE = "braid-x/src/main/java/X.java";

  @TempDir private Path directory;
  private Path project;

  @BeforeEach
  void commitAll() throws Exception {
    String path = System.getenv().getOrDefault("PATH", "");
    assumeTrue(
        Stream.of(path.split(File.pathSeparator))
            .anyMatch(place -> Files.isExecutable(Path.of(place, "git"))),
        "no git here");
    project = Files.createDirectories(directory.resolve("project"));
    write("braid-hadoop-tests/run", Files.readString(Path.of("run")));
    write("braid-hadoop-tests/target/classpath", "x.jar");
    write(".gitignore", "target/\n");
    write(SOURCE, "class X {}\n");
    write("docs/PAGE.md", "a page\n");
    program("mvn", "exit 0");
    program("java", "for word in \"$@\"; do echo \"$word\"; done");
    said(List.of("git", "init", "-q"));
    said(List.of("git", "add", "."));
    said(List.of("git", "-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qm", "All of it"));
  }

  private void write(String path, String text) throws IOException {
    Path file = project.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private void program(String name, String line) throws IOException {
    Path file = directory.resolve("bin").resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/sh\n" + line + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** What a command says on standard output. */
  private List<String> said(List<String> command) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(command).directory(project.toFile());
    String path = System.getenv().getOrDefault("PATH", "");
    // A hook of git's has variables that lead to the repository that it is a hook of.
    builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
    builder.environment().put("PATH", directory.resolve("bin") + File.pathSeparator + path);
    builder.environment().put("JAVA_HOME", directory.toString());
    builder.environment().put("GIT_CONFIG_GLOBAL", "/dev/null");
    builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), () -> command + " failed: " + said);
    return said.lines().toList();
  }

  private String commit() throws Exception {
    String property = "-Dbraid.commit=";
    return said(List.of("sh", "braid-hadoop-tests/run", "--list")).stream()
        .filter(word -> word.startsWith(property))
        .map(word -> word.substring(property.length()))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void figuresOfChangesAreNotThoseOfTheCommitBelow() throws Exception {
    String head = commit();
    assertTrue(head.matches("[0-9a-f]{8}"), head);
    write("docs/PAGE.md", "a page with other figures\n");
    assertEquals(head, commit());
    write(SOURCE, "final class X {}\n");
    assertEquals(head + "+", commit());
    write(SOURCE, "class X {}\n");
    assertEquals(head, commit());
    write("braid-x/src/main/java/Y.java", "class Y {}\n");
    assertEquals(head + "+", commit());
  }
}
