package org.braid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.braid.hdfs.testkit.embedded.EmbeddedHdfs;
import org.braid.hdfs.testkit.embedded.EmbeddedSettings;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A release, put into the layout of an unpacked Hadoop and taken out again by its own scripts. */
@Tag("slow")
@Tag("cluster")
final class ReleaseTest {
  @TempDir static Path directory;
  private static HadoopLayout layout;

  /** The files of Hadoop before anything was installed, with their content. */
  private static Map<String, String> stock;

  @BeforeAll
  static void unpack() throws Exception {
    layout = HadoopLayout.in(directory);
    stock = tree();
  }

  @BeforeEach
  void uninstalled() throws Exception {
    if (Files.exists(layout.home.resolve("share/braid/MANIFEST"))) {
      assertEquals(0, uninstall("--force").status());
    }
    Files.deleteIfExists(layout.home.resolve("etc/hadoop/hdfs-site.xml.before-braid"));
    assertEquals(stock, tree());
  }

  private static Map<String, String> tree() throws IOException {
    Map<String, String> tree = new TreeMap<>();
    try (Stream<Path> all = Files.walk(layout.home)) {
      for (Path path : all.toList()) {
        String name = layout.home.relativize(path).toString();
        boolean read = Files.isRegularFile(path) && !name.endsWith(".jar");
        Charset charset =
            name.endsWith(".png") ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8;
        tree.put(
            name, read ? Files.readString(path, charset) : Files.isDirectory(path) ? "/" : "jar");
      }
    }
    return tree;
  }

  private static Run run(Map<String, String> environment, List<String> command) throws Exception {
    Path out = directory.resolve("out");
    Path err = directory.resolve("err");
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().remove("HADOOP_HOME");
    builder.environment().remove("HADOOP_CONF_DIR");
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    // Commands that run for a second or two.
    builder.environment().put("HADOOP_CLIENT_OPTS", "-XX:+UseSerialGC -XX:TieredStopAtLevel=1");
    builder.environment().putAll(environment);
    builder.redirectOutput(out.toFile()).redirectError(err.toFile());
    int status = builder.start().waitFor();
    return new Run(
        status,
        Files.readString(out, StandardCharsets.UTF_8),
        Files.readString(err, StandardCharsets.UTF_8));
  }

  private static Run script(Path script, String... options) throws Exception {
    List<String> command = new ArrayList<>(List.of(script.toString()));
    command.addAll(List.of("--hadoop-home", layout.home.toString()));
    command.addAll(Arrays.asList(options));
    return run(Map.of(), command);
  }

  private static Run install(String... options) throws Exception {
    return script(layout.release.resolve("bin/install.sh"), options);
  }

  private static Run uninstall(String... options) throws Exception {
    return script(layout.home.resolve("share/braid/uninstall.sh"), options);
  }

  private static void installed(Run run) {
    assertEquals(0, run.status(), run.out() + run.err());
    assertEquals("", run.err());
    assertTrue(run.out().contains("installed Braid "), run.out());
  }

  private static Run hdfs(String... words) throws Exception {
    List<String> command = new ArrayList<>(List.of(layout.home.resolve("bin/hdfs").toString()));
    command.addAll(Arrays.asList(words));
    return run(Map.of(), command);
  }

  /** What Debian's tools unpack from the package is the same release. */
  @Test
  void thePackageForDebianInstalls() throws Exception {
    String built = System.getProperty("braid.release.deb");
    assumeTrue(built != null, "the package is made with -Prelease");
    assumeTrue(run(Map.of(), List.of("sh", "-c", "command -v dpkg-deb")).status() == 0);
    Run fields = run(Map.of(), List.of("dpkg-deb", "-f", built));
    assertEquals(0, fields.status(), fields.err());
    assertTrue(fields.out().contains("Package: braid\n"), fields.out());
    assertTrue(fields.out().contains("Architecture: all\n"), fields.out());
    Path root = Files.createDirectory(directory.resolve("debian"));
    assertEquals(0, run(Map.of(), List.of("dpkg-deb", "-x", built, root.toString())).status());
    assertTrue(Files.isRegularFile(root.resolve("usr/share/man/man1/braid-convert.1")));
    Path unpacked = root.resolve("usr/share/braid");
    assertEquals(names(layout.release), names(unpacked));
    installed(script(unpacked.resolve("bin/install.sh"), "--configure"));
    assertTrue(tree().containsKey("share/braid/man/man1/braid-convert.1"));
  }

  private static List<String> names(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.map(path -> directory.relativize(path).toString()).sorted().toList();
    }
  }

  @Test
  void whatIsInstalledIsRemovedAgainAndNothingElse() throws Exception {
    installed(install("--configure"));
    Map<String, String> tree = tree();
    assertTrue(tree.keySet().containsAll(stock.keySet()));
    assertTrue(tree.containsKey("libexec/shellprofile.d/braid.sh"), tree.keySet().toString());
    assertTrue(tree.containsKey("share/braid/man/man1/braid-convert.1"));
    assertTrue(tree.containsKey("share/braid/completion/braid"));
    assertTrue(tree.containsKey("share/braid/dashboards/braid-alerts.yaml"));
    assertTrue(
        tree.get("share/braid/systemd/braid-daemon.service")
            .contains("ExecStart=" + layout.home.toRealPath() + "/bin/hdfs braid daemon"));
    String site = tree.get("etc/hadoop/hdfs-site.xml");
    assertTrue(site.contains("org.braid.hdfs.namenode.BraidNameNodePlugin"), site);
    assertEquals(
        stock.get("etc/hadoop/hdfs-site.xml"), tree.get("etc/hadoop/hdfs-site.xml.before-braid"));
    // Whoever set something meanwhile keeps it.
    Path file = layout.home.resolve("etc/hadoop/hdfs-site.xml");
    Files.writeString(file, site.replace("<value>3</value>", "<value>2</value>"));
    Run removed = uninstall();
    assertEquals(0, removed.status(), removed.err());
    assertEquals(
        stock.get("etc/hadoop/hdfs-site.xml").replace("<value>3</value>", "<value>2</value>"),
        Files.readString(file));
    Files.writeString(file, stock.get("etc/hadoop/hdfs-site.xml"));
  }

  @Test
  void aDryRunChangesNothing() throws Exception {
    Run run = install("--configure", "--dry-run");
    assertEquals(0, run.status(), run.err());
    assertTrue(run.out().contains("would put "), run.out());
    assertTrue(run.out().contains("dfs.namenode.plugins = org.braid"), run.out());
    assertEquals(stock, tree());
    installed(install());
    Map<String, String> before = tree();
    assertEquals(0, uninstall("--dry-run").status());
    assertEquals(before, tree());
  }

  @Test
  void eachRoleIsToldItsPropertiesOnly() throws Exception {
    String text = install("--role", "datanode").out();
    assertTrue(text.contains("dfs.datanode.plugins = org.braid"), text);
    assertTrue(text.contains("dfs.datanode.block-pinning.enabled = true"), text);
    assertFalse(text.contains("dfs.namenode.plugins"), text);
    assertEquals(2, install("--role", "nn").status());
  }

  @Test
  void aPropertyWithAnotherValueIsLeftAloneAndNamed() throws Exception {
    Path site = layout.home.resolve("etc/hadoop/hdfs-site.xml");
    String own =
        stock
            .get("etc/hadoop/hdfs-site.xml")
            .replace(
                "</configuration>",
                "<property><name>dfs.datanode.plugins</name><value>com.example.Own</value>"
                    + "</property></configuration>");
    try {
      Files.writeString(site, own);
      Run run = install("--configure");
      assertEquals(3, run.status(), run.out());
      assertTrue(
          run.err()
              .contains(
                  "dfs.datanode.plugins is com.example.Own in "
                      + site.toRealPath()
                      + ": set it to com.example.Own,org.braid.hdfs.datanode.BraidDataNodePlugin"),
          run.err());
      assertTrue(Files.readString(site).contains("dfs.namenode.plugins"));
      assertEquals(0, uninstall().status());
      assertEquals(own.replaceAll("\\s", ""), Files.readString(site).replaceAll("\\s", ""));
    } finally {
      Files.writeString(site, stock.get("etc/hadoop/hdfs-site.xml"));
    }
  }

  /** Without the classes that a property names no daemon starts. */
  @Test
  void jarsStayWhilePropertiesSetByHandNameThem() throws Exception {
    Path site = layout.home.resolve("etc/hadoop/hdfs-site.xml");
    installed(install());
    try {
      Files.writeString(
          site,
          stock
              .get("etc/hadoop/hdfs-site.xml")
              .replace(
                  "</configuration>",
                  "<property><name>dfs.namenode.plugins</name>"
                      + "<value>com.example.Own,org.braid.hdfs.namenode.BraidNameNodePlugin</value>"
                      + "</property></configuration>"));
      Map<String, String> before = tree();
      Run run = uninstall();
      assertEquals(1, run.status(), run.out());
      assertTrue(run.err().contains("take org.braid.* out of them first"), run.err());
      assertEquals(before, tree());
    } finally {
      Files.writeString(site, stock.get("etc/hadoop/hdfs-site.xml"));
    }
  }

  @Test
  void aFileWithoutTheEndMarkIsLeftAlone() throws Exception {
    Path site = layout.home.resolve("etc/hadoop/hdfs-site.xml");
    installed(install("--configure"));
    try {
      String cut = Files.readString(site).replace("<!-- braid: end -->", "");
      Files.writeString(site, cut);
      for (Run run : List.of(uninstall(), uninstall("--force"), install("--configure"))) {
        assertEquals(1, run.status(), run.out());
        assertTrue(run.err().contains("put these lines back"), run.err());
      }
      assertEquals(cut, Files.readString(site));
    } finally {
      Files.writeString(site, stock.get("etc/hadoop/hdfs-site.xml"));
    }
  }

  @Test
  void anInstallationOverAnOlderOneLeavesNothingOfThat() throws Exception {
    installed(install());
    Path old = layout.release.resolve("plugins/braid-old-0.0.jar");
    Files.writeString(old, "old");
    try {
      installed(install());
      assertTrue(tree().containsKey("share/hadoop/hdfs/lib/braid-old-0.0.jar"));
    } finally {
      Files.delete(old);
    }
    installed(install());
    assertFalse(tree().containsKey("share/hadoop/hdfs/lib/braid-old-0.0.jar"));
  }

  @Test
  void nothingIsRemovedWhenAFileWasChanged() throws Exception {
    installed(install());
    Path profile = layout.home.resolve("libexec/shellprofile.d/braid.sh");
    Files.writeString(profile, Files.readString(profile) + "# ours\n");
    Map<String, String> before = tree();
    Run run = uninstall();
    assertEquals(1, run.status());
    assertTrue(run.err().contains("braid.sh was changed\n"), run.err());
    assertTrue(run.err().contains("nothing is removed; --force"), run.err());
    assertEquals(before, tree());
  }

  @Test
  void aDirectoryWithoutRightsIsRefusedBeforeAnythingChanges() throws Exception {
    Run elsewhere = script(layout.release.resolve("bin/install.sh"), "--hadoop-home", "/tmp");
    assertEquals(1, elsewhere.status());
    assertTrue(elsewhere.err().contains("/tmp is no Hadoop: "), elsewhere.err());
    Path libexec = layout.home.resolve("libexec/shellprofile.d");
    Files.setPosixFilePermissions(libexec, PosixFilePermissions.fromString("r-xr-xr-x"));
    try {
      if (!Files.isWritable(libexec)) { // the superuser may write everywhere
        Run run = install();
        assertEquals(1, run.status());
        assertTrue(run.err().contains("cannot write to " + libexec), run.err());
        assertEquals(stock, tree());
      }
    } finally {
      Files.setPosixFilePermissions(libexec, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }

  @Test
  void braidIsACommandOfHdfs() throws Exception {
    assertFalse(hdfs().out().contains("braid"));
    assertEquals(1, hdfs("braid", "--help").status());
    installed(install());
    assertTrue(hdfs().out().contains("  braid\tin-place erasure coding"), hdfs().out());
    Run help = hdfs("braid", "--help");
    assertEquals(0, help.status(), help.err());
    assertEquals("", help.err());
    assertTrue(help.out().contains("convert"), help.out());
    Run short_ =
        run(Map.of(), List.of(layout.home.resolve("bin/braid").toString(), "codes", "list"));
    assertEquals(0, short_.status(), short_.err());
    // The manual says what --help says.
    String manual =
        Files.readString(layout.home.resolve("share/braid/man/man1/braid-fsck.1"))
            .replace("\\-", "-");
    for (String line : hdfs("braid", "fsck", "--help").out().lines().toList()) {
      if (line.startsWith("  braid ")) {
        assertTrue(manual.contains(line), line);
      }
    }
  }

  /** As jobs of cron have it: Java would take each byte of a letter for a wildcard. */
  @Test
  void wordsThatAreNotAsciiAreReadInTheLocaleC() throws Exception {
    installed(install());
    String hdfs = layout.home.resolve("bin/hdfs").toString();
    String line = "exec \"$0\" braid codes show \"$(printf 'f\\303\\244')\"";
    Run run = run(Map.of("LC_ALL", "C"), List.of("sh", "-c", line, hdfs));
    assertTrue(run.err().contains("no code is named \"f\u00e4\""), run.err());
  }

  @Test
  void commandsFindTheClusterAsOthersOfHdfs() throws Exception {
    installed(install());
    var settings = new EmbeddedSettings(3, 5, 65536, directory.resolve("hdfs"), Map.of());
    try (EmbeddedHdfs cluster = EmbeddedHdfs.start(settings)) {
      String uri = cluster.connection().fileSystem().orElseThrow();
      Path conf = Files.createDirectories(directory.resolve("conf dir"));
      Files.writeString(
          conf.resolve("core-site.xml"),
          "<configuration><property><name>fs.defaultFS</name><value>"
              + uri
              + "</value></property></configuration>");
      String hdfs = layout.home.resolve("bin/hdfs").toString();
      Run byVariable =
          run(Map.of("HADOOP_CONF_DIR", conf.toString()), List.of(hdfs, "braid", "status"));
      assertEquals(0, byVariable.status(), byVariable.err());
      assertEquals("", byVariable.err());
      assertTrue(byVariable.out().startsWith("health: healthy\nblocks: 0, "), byVariable.out());
      assertEquals(0, hdfs("--config", conf.toString(), "braid", "fsck").status());
      Run check =
          run(
              Map.of("HADOOP_CONF_DIR", conf.toString()),
              List.of(
                  hdfs,
                  "braid",
                  "check",
                  "-D",
                  "dfs.namenode.http-address=" + cluster.webAddress(),
                  "--code",
                  "rs-3-2"));
      assertEquals(0, check.status(), check.out() + check.err());
      assertTrue(check.out().contains("1 NameNode and 5 DataNodes looked at"), check.out());
      assertEquals(0, hdfs("braid", "status", "-D", "fs.defaultFS=" + uri).status());
      Run loud = hdfs("--loglevel", "DEBUG", "braid", "status", "-fs", uri);
      assertEquals(0, loud.status());
      assertNotEquals("", loud.err());
    }
  }
}
