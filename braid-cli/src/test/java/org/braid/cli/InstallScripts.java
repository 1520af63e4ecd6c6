package org.braid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.braid.hdfs.setting.SiteProperties;
import org.braid.lab.daemon.ClassPath;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A Hadoop, a release, and runs of its {@code install.sh} and {@code uninstall.sh}. */
abstract class InstallScripts {
  static final String STOCK = HadoopLayout.SITE;
  static final String OWN_PLUGIN =
      "<property><name>dfs.namenode.plugins</name><value>org.example.P</value></property>";
  static final String NAMENODE = "org.braid.hdfs.namenode.BraidNameNodePlugin";
  static final String PLACEMENT = "org.braid.hdfs.namenode.BraidPlacementPolicy";
  static final String CLIENT = "org.braid.hdfs.client.BraidFileSystem";

  @TempDir Path directory;
  Path home;
  Path release;
  Path site;
  final Map<String, String> environment = new HashMap<>();

  @BeforeEach
  void unpack() throws Exception {
    directory = directory.toRealPath();
    home = directory.resolve("hadoop");
    site = home.resolve("etc/hadoop/hdfs-site.xml");
    List<Path> classPath = ClassPath.ofThisProcess().entries();
    HadoopLayout.make(home, classPath);
    release = directory.resolve("release");
    HadoopLayout.copyScripts(release);
    for (String name : List.of("LICENSE", "log4j.properties", "VERSION", "lib/braid-cli-0.jar")) {
      Files.createDirectories(release.resolve(name).getParent());
      Files.writeString(release.resolve(name), "0\n");
    }
    jar(Files.createDirectories(release.resolve("plugins")).resolve("braid-hdfs-0.jar"));
    withoutJava();
  }

  /** All that the scripts need of the plugins. */
  private static void jar(Path jar) throws IOException {
    String name = SiteProperties.class.getName().replace('.', '/') + ".class";
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        InputStream in = SiteProperties.class.getResourceAsStream("/" + name)) {
      out.putNextEntry(new JarEntry(name));
      in.transferTo(out);
    }
  }

  Run script(Path script, String... options) throws Exception {
    List<String> command = new ArrayList<>(List.of(script.toString()));
    command.addAll(List.of("--hadoop-home", home.toString()));
    command.addAll(Arrays.asList(options));
    Path out = directory.resolve("out");
    Path err = directory.resolve("err");
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().keySet().removeAll(List.of("HADOOP_HOME", "HADOOP_CONF_DIR"));
    builder.environment().putAll(environment);
    int status = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start().waitFor();
    return new Run(status, Files.readString(out), Files.readString(err));
  }

  Run install(String... options) throws Exception {
    return script(release.resolve("bin/install.sh"), options);
  }

  Run uninstall(String... options) throws Exception {
    return script(home.resolve("share/braid/uninstall.sh"), options);
  }

  static Run done(Run run) {
    assertEquals(0, run.status(), run.out() + run.err());
    assertEquals("", run.err());
    return run;
  }

  static void refused(Run run, int status, String reason) {
    assertEquals(status, run.status(), run.out() + run.err());
    assertTrue(run.err().contains(reason), run.err());
  }

  String text() throws IOException {
    return Files.readString(site, StandardCharsets.UTF_8);
  }

  void write(String text) throws IOException {
    Files.writeString(site, text, StandardCharsets.UTF_8);
  }

  static String with(String properties) {
    return STOCK.replace("</configuration>", properties + "\n</configuration>");
  }

  Path copy() {
    return site.resolveSibling("hdfs-site.xml.before-braid");
  }

  /** From here on the scripts read properties by Hadoop's classes. */
  void withJava() {
    environment.put("JAVA_HOME", System.getProperty("java.home"));
  }

  /** From here on the scripts read properties without Hadoop's classes, which takes less time. */
  void withoutJava() throws IOException {
    Path java = Files.createDirectories(directory.resolve("none/bin")).resolve("java");
    Files.writeString(java, "#!/bin/sh\nexit 1\n");
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
    environment.put("JAVA_HOME", directory.resolve("none").toString());
  }
}
