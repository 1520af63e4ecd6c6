package org.braid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is left when {@code install.sh} is killed. */
@Tag("slow")
final class InstallScriptsKillTest extends InstallScripts {
  private List<String> tree() throws IOException {
    try (Stream<Path> all = Files.walk(home)) {
      return all.map(path -> home.relativize(path).toString()).sorted().toList();
    }
  }

  /** Runs an installation until it calls a program for the n-th time. */
  private void killed(String program, int call) throws Exception {
    Path bin = Files.createDirectories(directory.resolve("killing"));
    Path calls = directory.resolve("calls");
    Files.writeString(
        bin.resolve(program),
        """
        #!/bin/sh
        echo >>'%1$s'
        [ "$(wc -l <'%1$s')" -lt %2$d ] || { kill -9 $PPID; exit; }
        exec /bin/%3$s "$@"
        """
            .formatted(calls, call, program));
    Files.setPosixFilePermissions(
        bin.resolve(program), PosixFilePermissions.fromString("rwxr-xr-x"));
    environment.put("PATH", bin + ":" + System.getenv("PATH"));
    assertNotEquals(0, install("--configure").status());
    environment.remove("PATH");
  }

  private void anotherVersion() throws IOException {
    Path plugins = release.resolve("plugins");
    Files.move(plugins.resolve("braid-hdfs-0.jar"), plugins.resolve("braid-hdfs-1.jar"));
  }

  @ParameterizedTest
  @CsvSource({"mv, 1", "mkdir, 2", "cp, 1", "mv, 3", "chmod, 5", "mv, 9"})
  void anotherVersionIsInstalledOverAPartAndRemovedWhole(String program, int call)
      throws Exception {
    List<String> before = tree();
    killed(program, call);
    anotherVersion();
    done(install("--configure"));
    assertFalse(Files.exists(home.resolve("share/hadoop/hdfs/lib/braid-hdfs-0.jar")));
    done(uninstall());
    assertEquals(before, tree());
    assertEquals(STOCK, text());
  }

  @ParameterizedTest
  @CsvSource({"mkdir, 2", "cp, 1", "mv, 3", "chmod, 5", "mv, 9"})
  void aPartIsRemoved(String program, int call) throws Exception {
    List<String> before = tree();
    killed(program, call);
    done(script(release.resolve("bin/uninstall.sh")));
    assertEquals(before, tree());
  }

  /** It writes the new properties beside the file that is to have them. */
  @Test
  void aPartOfThePropertiesIsRemoved() throws Exception {
    List<String> before = tree();
    Path part = site.resolveSibling("hdfs-site.xml.braid-part");
    for (int call = 1; !Files.exists(part); call++) {
      Files.deleteIfExists(directory.resolve("calls"));
      killed("mv", call);
    }
    done(script(release.resolve("bin/uninstall.sh")));
    assertEquals(before, tree());
    assertEquals(STOCK, text());
  }

  @ParameterizedTest
  @CsvSource({"cp, 1", "mv, 4", "mv, 9"})
  void aPartOverAnotherVersionIsRemoved(String program, int call) throws Exception {
    List<String> before = tree();
    done(install("--configure"));
    Files.writeString(release.resolve("lib/braid-cli-0.jar"), "another\n");
    anotherVersion();
    killed(program, call);
    done(script(release.resolve("bin/uninstall.sh")));
    assertEquals(before, tree());
    assertEquals(STOCK, text());
  }
}
