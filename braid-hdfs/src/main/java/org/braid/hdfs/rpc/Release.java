package org.braid.hdfs.rpc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The release of Braid that this process runs, as the build names it. */
public final class Release {
  private static final String VERSION = read();

  private Release() {}

  /** Its version; empty when the build named none. */
  public static String version() {
    return VERSION;
  }

  private static String read() {
    Properties properties = new Properties();
    try (InputStream in = Release.class.getResourceAsStream("version.properties")) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String version = properties.getProperty("version", "");
    return version.startsWith("${") ? "" : version;
  }
}
