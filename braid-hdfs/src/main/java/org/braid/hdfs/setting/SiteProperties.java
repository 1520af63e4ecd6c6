package org.braid.hdfs.setting;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;

/**
 * The properties that a directory of Hadoop's configuration sets, as Hadoop reads them: with {@code
 * xi:include}, final properties and variables, without Hadoop's defaults.
 *
 * <p>A program of {@code install.sh} and {@code uninstall.sh}, which give {@code hdfs-site.xml}
 * without the properties that they set.
 */
public final class SiteProperties {
  private static final String CORE = "core-site.xml";
  private static final String HDFS = "hdfs-site.xml";

  /** The exit status for a file that Hadoop cannot read; Java's own is 1. */
  private static final int UNREADABLE = 3;

  private SiteProperties() {}

  /**
   * Prints a line for each property: its name, the file that sets it and its value, with tabs
   * between them.
   *
   * @param args the directory; {@code hdfs-site.xml} comes from standard input, empty if there is
   *     none
   */
  public static void main(String[] args) throws IOException {
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    int status = 0;
    try {
      list(Path.of(args[0]), System.in.readAllBytes()).forEach(out::println);
    } catch (RuntimeException e) {
      out.println(line(String.valueOf(e.getMessage())));
      status = UNREADABLE;
    }
    out.flush();
    System.exit(status);
  }

  private static Iterable<String> list(Path directory, byte[] site) throws IOException {
    Configuration configuration = new Configuration(false);
    // The order of daemons: what core-site.xml sets of dfs.* gives way to hdfs-default.xml, where
    // that has a value.
    configuration.addResource("core-default.xml");
    Path core = directory.resolve(CORE);
    if (Files.exists(core)) {
      add(configuration, core, Files.readAllBytes(core));
    }
    configuration.addResource("hdfs-default.xml");
    if (site.length > 0) {
      add(configuration, directory.resolve(HDFS), site);
    }
    Map<String, String> lines = new TreeMap<>();
    for (Map.Entry<String, String> property : configuration) {
      String name = property.getKey();
      String source = last(configuration.getPropertySources(name));
      if (!source.endsWith("-default.xml")) {
        String value = String.join(",", values(configuration, name, property.getValue()));
        lines.put(name, line(name) + "\t" + line(source) + "\t" + line(value));
      }
    }
    return lines.values();
  }

  /** The name is where files that this one includes are looked for. */
  private static void add(Configuration configuration, Path file, byte[] text) {
    configuration.addResource(new ByteArrayInputStream(text), file.toString());
  }

  private static String last(String[] sources) {
    return sources == null || sources.length == 0 ? "" : sources[sources.length - 1];
  }

  private static String[] values(Configuration configuration, String name, String raw) {
    try {
      return configuration.getTrimmedStrings(name);
    } catch (IllegalStateException e) {
      // Variables that name each other.
      return new String[] {raw};
    }
  }

  private static String line(String text) {
    return text.replaceAll("\\s+", " ").strip();
  }
}
