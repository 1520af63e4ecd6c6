package org.braid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What {@code install.sh} and {@code uninstall.sh} do to files of properties. */
@Tag("slow")
final class InstallScriptsTest extends InstallScripts {
  @Test
  void aSecondRoleKeepsThePropertiesOfTheFirst() throws Exception {
    done(install("--role", "namenode", "--configure"));
    assertFalse(text().contains(CLIENT), text());
    Run second = done(install("--role", "client", "--configure"));
    for (String value : List.of(NAMENODE, PLACEMENT, CLIENT)) {
      assertTrue(text().contains("<value>" + value + "</value>"), text());
    }
    assertFalse(text().contains("dfs.datanode.plugins"), text());
    assertTrue(second.out().contains(" for namenode, client "), second.out());
    String both = text();
    done(install("--role", "client", "--configure"));
    assertEquals(both, text());
    done(uninstall());
    assertEquals(STOCK, text());
  }

  /** An earlier version wrote no roles down. */
  @Test
  void rolesAreSeenInThePropertiesOfAnEarlierVersion() throws Exception {
    done(install("--role", "namenode", "--configure"));
    forgetSites();
    done(install("--role", "client", "--configure"));
    assertTrue(text().contains(NAMENODE) && text().contains(CLIENT), text());
  }

  private void forgetSites() throws IOException {
    Path manifest = home.resolve("share/braid/MANIFEST");
    List<String> lines = new ArrayList<>(Files.readAllLines(manifest));
    lines.removeIf(line -> !line.startsWith("file") && !line.startsWith("dir"));
    Files.write(manifest, lines);
  }

  @Test
  void aPropertyThatIsSetAlreadyIsNotAskedFor() throws Exception {
    done(install("--role", "namenode", "--configure"));
    String again = done(install("--role", "namenode")).out();
    assertFalse(again.contains("to set in"), again);
    assertTrue(install().out().contains("fs.hdfs.impl = "));
  }

  @Test
  void propertiesAreTakenOutWhereTheyWereSet() throws Exception {
    Path other = Files.createDirectories(directory.resolve("other conf"));
    Files.writeString(other.resolve("hdfs-site.xml"), STOCK);
    done(install("--configure"));
    done(install("--role", "client", "--configure", "--conf", "other conf"));
    Path third = Files.createDirectories(directory.resolve("third"));
    environment.put("HADOOP_CONF_DIR", third.toString());
    done(uninstall());
    assertEquals(STOCK, text());
    assertEquals(STOCK, Files.readString(other.resolve("hdfs-site.xml")));
    assertFalse(Files.exists(home.resolve("share/braid")));
  }

  @Test
  void nothingIsRemovedWhenAFileOfPropertiesIsGone() throws Exception {
    Path other = Files.createDirectories(directory.resolve("other"));
    Files.writeString(other.resolve("hdfs-site.xml"), STOCK);
    done(install("--configure", "--conf", other.toString()));
    Files.move(other, directory.resolve("away"));
    refused(uninstall(), 1, other.resolve("hdfs-site.xml") + ", in which install.sh set");
    assertTrue(Files.exists(home.resolve("share/hadoop/hdfs/lib/braid-hdfs-0.jar")));
    done(uninstall("--force"));
  }

  /** The daemons and their users are others than whoever installs. */
  @Test
  void othersMayReadWhatIsInstalledUnderAnyUmask() throws Exception {
    Path masked = directory.resolve("masked.sh");
    Files.writeString(
        masked,
        "#!/bin/sh\numask 077\nexec '%s' \"$@\"\n".formatted(release.resolve("bin/install.sh")));
    Files.setPosixFilePermissions(masked, PosixFilePermissions.fromString("rwxr-xr-x"));
    done(script(masked));
    try (Stream<Path> all = Files.walk(home.resolve("share/braid"))) {
      for (Path path : all.filter(Files::isDirectory).toList()) {
        String rights = PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
        assertEquals("rwxr-xr-x", rights, path.toString());
      }
    }
  }

  @Test
  void propertiesOfAnEarlierVersionAreFoundBelowHadoop() throws Exception {
    done(install("--configure"));
    forgetSites();
    environment.put("HADOOP_CONF_DIR", directory.toString());
    done(uninstall());
    assertEquals(STOCK, text());
  }

  @Test
  void aPropertyInACommentIsNotSet() throws Exception {
    withJava();
    String text = with("<!-- <a> " + OWN_PLUGIN.replace("org.example.P", NAMENODE) + " -->");
    write(text);
    done(install("--role", "namenode", "--configure"));
    assertTrue(text().contains("-->\n<!-- braid: begin"), text());
    assertTrue(text().contains("<property><name>dfs.namenode.plugins</name>"), text());
    assertEquals(3, text().split("dfs.namenode.plugins", -1).length, text());
    done(uninstall());
    assertEquals(text, text());
    withoutJava();
    done(install("--role", "namenode", "--configure"));
    assertEquals(3, text().split("dfs.namenode.plugins", -1).length, text());
  }

  @Test
  void theValueMayComeBeforeTheName() throws Exception {
    withJava();
    String text =
        with(
            "<property><value>org.example.P</value><final>false</final>"
                + "<name>dfs.namenode.plugins</name></property>");
    write(text);
    String reason =
        "dfs.namenode.plugins is org.example.P in "
            + site
            + ": set it to org.example.P,"
            + NAMENODE
            + " by hand";
    refused(install("--role", "namenode", "--configure"), 3, reason);
    assertFalse(text().contains(NAMENODE), text());
    withoutJava();
    refused(install("--role", "namenode", "--configure"), 3, reason);
    assertFalse(text().contains(NAMENODE), text());
  }

  @Test
  void aPropertyOfAnIncludedFileIsSet() throws Exception {
    withJava();
    String text =
        with("<xi:include xmlns:xi=\"http://www.w3.org/2001/XInclude\" href=\"plugins.xml\"/>");
    write(text);
    Path included = site.resolveSibling("plugins.xml");
    Files.writeString(included, "<configuration>" + OWN_PLUGIN + "</configuration>");
    refused(install("--role", "namenode", "--configure"), 3, "is org.example.P in ");
    assertFalse(text().contains(NAMENODE), text());
    assertTrue(text().contains(PLACEMENT), text());
    // What is set there by hand counts when Braid is taken out, too.
    Files.writeString(
        included,
        "<configuration>"
            + OWN_PLUGIN.replace("org.example.P", "org.example.P, " + NAMENODE)
            + "</configuration>");
    done(install("--role", "namenode", "--configure"));
    refused(uninstall(), 1, "take org.braid.* out of them first");
    assertTrue(text().contains(PLACEMENT), text());
    Files.writeString(included, "<configuration/>");
    withoutJava();
    String reason = site + " has xi:include, which only Java with Hadoop's classes can read";
    refused(install("--configure"), 1, reason);
    refused(uninstall(), 1, reason);
    done(uninstall("--force"));
    assertEquals(text, text());
  }

  /** The file system is set there, plugins may be; Hadoop's defaults cover other dfs.*. */
  @Test
  void coreSiteCountsAsFarAsHadoopReadsIt() throws Exception {
    Path core = site.resolveSibling("core-site.xml");
    Files.writeString(
        core,
        "<configuration><property><name>fs.hdfs.impl</name><value>org.example.F</value></property>"
            + "<property><name>dfs.block.replicator.classname</name><value>P</value></property>"
            + OWN_PLUGIN
            + "</configuration>");
    for (int i = 0; i < 2; i++) {
      Run run = install();
      refused(run, 3, "fs.hdfs.impl is org.example.F in " + core);
      refused(run, 3, "dfs.namenode.plugins is org.example.P in " + core);
      assertTrue(run.out().contains("dfs.block.replicator.classname = " + PLACEMENT), run.out());
      withJava();
    }
  }

  @Test
  void aFileThatIsNoXmlIsRefusedBeforeAnythingChanges() throws Exception {
    withJava();
    write(STOCK.replace("</value>", "<value>"));
    refused(install("--configure"), 1, "Hadoop cannot read the configuration in ");
    assertFalse(Files.exists(home.resolve("share/braid")));
  }

  @Test
  void theServiceGetsAnAbsoluteDirectory() throws Exception {
    for (String name : List.of("a&b", "a b", "5%", "a\"\\b")) {
      Files.createDirectories(directory.resolve(name));
      done(install("--conf", name));
      String unit = Files.readString(home.resolve("share/braid/systemd/braid-daemon.service"));
      // As systemd reads it, blanks would end it.
      String read = name.replace("\\", "\\\\").replace("\"", "\\\"").replace("%", "%%");
      String line = "\nEnvironment=\"HADOOP_CONF_DIR=" + directory.resolve(read) + "\"\n";
      assertTrue(unit.contains(line), unit);
    }
  }

  @Test
  void theCopyOfTheFileGoesWhenTheFileIsTheSameAgain() throws Exception {
    Run first = done(install("--role", "client", "--configure"));
    assertTrue(first.out().contains(copy() + " is the file before Braid, copied 2"), first.out());
    String changed = text().replace("<value>3</value>", "<value>2</value>");
    write(changed);
    Run second = done(install("--configure"));
    assertEquals(STOCK, Files.readString(copy()));
    String when = first.out().replaceAll("(?s).*( copied [^)]*).*", "$1");
    assertTrue(second.out().contains(when), second.out() + when);
    Run removed = done(uninstall());
    assertTrue(removed.out().contains(copy() + " stays: "), removed.out());
    assertEquals(STOCK, Files.readString(copy()));
    // Another installation has another state before it; the old copy is not lost.
    String before = text();
    Run third = done(install("--configure"));
    assertTrue(third.out().contains("an older copy is now " + copy() + "."), third.out());
    assertEquals(before, Files.readString(copy()));
    done(uninstall());
    assertEquals(before, text());
    assertFalse(Files.exists(copy()));
  }

  @Test
  void aDirectoryThatIsNotThereIsRefused() throws Exception {
    refused(install("--conf", "/nosuch"), 1, "there is no directory /nosuch");
    assertFalse(Files.exists(home.resolve("share/braid")));
    done(install());
    refused(uninstall("--conf", "/nosuch"), 1, "there is no directory /nosuch");
  }

  @Test
  void theFileIsAsBeforeByteForByte() throws Exception {
    for (String text :
        List.of(
            "<configuration></configuration>",
            "<configuration></configuration>\n",
            "<configuration>\r\n  </configuration>\r\n\r\n",
            "<configuration>\n</configuration>\n<!-- </configuration> -->\n",
            "<configuration><!-- \u00e4\u20ac --></configuration><!-- end -->")) {
      write(text);
      done(install("--configure"));
      done(install("--role", "client", "--configure"));
      assertTrue(text().contains(NAMENODE), text());
      // Earlier versions take whole lines out.
      assertTrue(text().contains("\n<!-- braid: begin, removed by uninstall.sh -->\n"), text());
      done(uninstall());
      assertEquals(text, text());
      assertFalse(Files.exists(copy()), text);
    }
  }

  @Test
  void aDryRunOverAnOlderVersionNamesWhatGoesAndNothingElse() throws Exception {
    Path old = release.resolve("lib/braid-old-0.jar");
    Files.writeString(old, "0\n");
    done(install());
    Files.delete(old);
    Run run = done(install("--dry-run"));
    Path installed = home.resolve("share/braid/lib/braid-old-0.jar");
    assertEquals(
        List.of("would run: rm -f -- " + installed),
        run.out().lines().filter(line -> line.startsWith("would run: rm ")).toList());
    assertTrue(Files.exists(installed));
  }

  private void jna(String name) throws IOException {
    Files.writeString(release.resolve("plugins").resolve(name), name);
  }

  private Path plugin(String name) {
    return home.resolve("share/hadoop/hdfs/lib").resolve(name);
  }

  @Test
  void anotherVersionOfALibraryTakesThePlaceOfBraidsOwn() throws Exception {
    jna("jna-1.jar");
    done(install());
    assertTrue(Files.exists(plugin("jna-1.jar")));
    Files.delete(release.resolve("plugins/jna-1.jar"));
    jna("jna-99.jar");
    done(install());
    assertTrue(Files.exists(plugin("jna-99.jar")));
    assertFalse(Files.exists(plugin("jna-1.jar")));
    done(uninstall());
    assertFalse(Files.exists(plugin("jna-99.jar")));
  }

  @Test
  void aLibraryThatHadoopHasIsUsedInsteadOfBraidsOwn() throws Exception {
    jna("jna-1.jar");
    done(install());
    Path hadoops = home.resolve("share/hadoop/common/lib/jna-0.jar");
    Files.writeString(Files.createDirectories(hadoops.getParent()).resolve("jna-0.jar"), "0");
    Run run = install();
    assertEquals(0, run.status(), run.err());
    assertTrue(run.err().contains(hadoops + " is there and used instead of jna-1.jar"), run.err());
    assertFalse(Files.exists(plugin("jna-1.jar")));
    done(uninstall());
    assertTrue(Files.exists(hadoops));
  }

  @Test
  void theSameLibraryOfAnotherPluginStaysItsOwn() throws Exception {
    jna("jna-1.jar");
    Files.writeString(plugin("jna-1.jar"), "theirs");
    done(install());
    done(install());
    assertEquals("theirs", Files.readString(plugin("jna-1.jar")));
    done(uninstall());
    assertTrue(Files.exists(plugin("jna-1.jar")));
  }

  @Test
  void theCommandGivesFlagsToTheJavaThatKnowsThem() throws Exception {
    done(install());
    Path jdk = directory.resolve("jdk");
    environment.put("JAVA_HOME", jdk.toString());
    Path java = Files.createDirectories(jdk.resolve("bin")).resolve("java");
    executable(java, "printf '%s\\n' \"$@\"");
    Path command = directory.resolve("command.sh");
    executable(command, "exec '%s' braid status".formatted(home.resolve("bin/hdfs")));
    for (String version : List.of("17.0.15", "25.0.1", "25", "24-ea")) {
      Files.writeString(jdk.resolve("release"), "A=\"X\"\nJAVA_VERSION=\"" + version + "\"\n");
      String words = done(script(command)).out();
      assertTrue(words.contains("\norg.braid.cli.Main\nstatus\n"), words);
      boolean newer = !version.startsWith("17");
      assertEquals(newer, words.contains("\n--enable-native-access=ALL-UNNAMED\n"), words);
      assertEquals(newer, words.contains("\n--sun-misc-unsafe-memory-access=allow\n"), words);
    }
    Files.delete(jdk.resolve("release"));
    assertFalse(done(script(command)).out().contains("native-access"));
  }

  /** A Java that says its version, and else which words it is given. */
  private Path java(String version) throws IOException {
    Path jdk = directory.resolve("jdk");
    Path java = Files.createDirectories(jdk.resolve("bin")).resolve("java");
    String words = "printf '%s\\n' \"$@\"";
    String said = "echo 'openjdk version \"" + version + "\" 2019-01-15' >&2";
    executable(java, "if [ \"$1\" = -version ]; then " + said + "; else " + words + "; fi");
    return jdk;
  }

  /** Whoever installs may have a newer Java than the daemons. */
  @Test
  void anOlderJavaOfTheDaemonsIsRefusedBeforeAnythingChanges() throws Exception {
    withJava();
    Path env = site.resolveSibling("hadoop-env.sh");
    for (String version : List.of("1.8.0_292", "11.0.2", "9-ea", "16")) {
      Path jdk = java(version);
      Files.writeString(env, "export JAVA_HOME=" + jdk + "\n");
      for (Run run : List.of(install("--configure"), install("--dry-run"))) {
        assertEquals(1, run.status(), run.out());
        assertEquals(
            ("install.sh: Braid needs Java 17 or newer, and %s runs on %s/bin/java, which is %s:"
                    + " set JAVA_HOME in %s first\n")
                .formatted(home, jdk, version, env),
            run.err());
      }
      assertFalse(Files.exists(home.resolve("share/braid")));
      assertEquals(STOCK, text());
    }
    java("17.0.15");
    done(install("--configure"));
  }

  /** Somebody has set it to another one since. */
  @Test
  void anOlderJavaIsNamedWhereADaemonOrACommandStarts() throws Exception {
    done(install());
    Path command = directory.resolve("command.sh");
    for (boolean released : new boolean[] {false, true}) {
      Path jdk = java("1.8.0_292");
      if (released) {
        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"11.0.2\"\n");
      }
      environment.put("JAVA_HOME", jdk.toString());
      String found = "Braid needs Java 17 or newer, and " + jdk + " is Java " + (released ? 11 : 8);
      for (String daemon : List.of("namenode", "datanode")) {
        executable(command, "exec '%s' %s".formatted(home.resolve("bin/hdfs"), daemon));
        Run run = script(command);
        assertEquals(0, run.status(), "what becomes of it without Braid's properties");
        assertEquals(
            ("WARNING: %s: where a property names a class of org.braid, this %s does not start;"
                    + " set JAVA_HOME in hadoop-env.sh\n")
                .formatted(found, daemon),
            run.err());
      }
      executable(command, "exec '%s' dfs -ls".formatted(home.resolve("bin/hdfs")));
      done(script(command));
      executable(command, "exec '%s' braid status".formatted(home.resolve("bin/hdfs")));
      Run run = script(command);
      assertEquals(1, run.status(), run.out());
      assertEquals("", run.out());
      assertEquals("ERROR: " + found + ": set JAVA_HOME in hadoop-env.sh\n", run.err());
    }
  }

  private static void executable(Path file, String line) throws IOException {
    Files.writeString(file, "#!/bin/sh\n" + line + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** Nothing of it can be read. */
  @Test
  void aDirectoryInTheFilesPlaceIsTheOnlyChange() throws Exception {
    done(install());
    Path file = home.resolve("share/braid/log4j.properties");
    Files.delete(file);
    Files.createDirectory(file);
    Run run = uninstall();
    refused(run, 1, "nothing is removed");
    assertEquals(
        List.of("uninstall.sh: " + file + " was changed"),
        run.err().lines().filter(line -> line.endsWith(" was changed")).toList());
  }

  @Test
  void whatABrokenOffInstallationPutThereIsRemoved() throws Exception {
    jna("jna-1.jar");
    done(install());
    Files.delete(home.resolve("share/braid/MANIFEST"));
    done(install());
    done(uninstall());
    assertFalse(Files.exists(plugin("jna-1.jar")));
  }
}
