package org.braid.cli.command;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import org.braid.kernel.Kernels;
import picocli.CommandLine.IVersionProvider;

/** Versions of this program, its source, Hadoop, the kernel and Java. */
public final class Version implements IVersionProvider {
  private final Properties properties = new Properties();

  /** Reads the properties that the build wrote. */
  public Version() throws IOException {
    try (InputStream in = Version.class.getResourceAsStream("version.properties")) {
      if (in != null) {
        properties.load(in);
      }
    }
  }

  /** Braid's version. */
  public String version() {
    return property("version");
  }

  /** The commit it was built from, {@code unknown} when that was not in a repository. */
  public String commit() {
    return property("commit");
  }

  /** The version of Hadoop that it carries. */
  public String hadoop() {
    return property("hadoop");
  }

  private String property(String key) {
    String value = properties.getProperty(key, "");
    return value.isEmpty() || value.startsWith("${") ? "unknown" : value;
  }

  /** The kernel in use, or why there is none. */
  public static String kernel() {
    try {
      return Kernels.description();
    } catch (IllegalStateException | IllegalArgumentException e) {
      return "none: " + e.getMessage();
    }
  }

  @Override
  public String[] getVersion() {
    return new String[] {
      "braid " + version(),
      "commit " + commit(),
      "Hadoop " + hadoop(),
      "kernel " + kernel(),
      "Java " + System.getProperty("java.version")
    };
  }
}
