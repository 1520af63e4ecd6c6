package org.braid.hdfs.hadoop;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The jars of HDFS beside hadoop-common. Of which version one is, Maven's description in it says,
 * or else its name; of others nothing is known, and they are taken for fitting. What distributions
 * append to Apache's version is not compared.
 */
final class HadoopParts {
  private static final Logger LOG = LoggerFactory.getLogger(HadoopParts.class);
  private static final String COMMON = "common-version-info.properties";

  /** Each with a class that no other one has. */
  private static final List<Part> OF_HDFS =
      List.of(
          new Part("hadoop-hdfs", "org/apache/hadoop/hdfs/server/datanode/DataNode.class"),
          new Part("hadoop-hdfs-client", "org/apache/hadoop/hdfs/DFSClient.class"));

  private HadoopParts() {}

  private record Part(String name, String entry) {}

  /**
   * Checks that what a class loader has of HDFS is of the version of hadoop-common.
   *
   * @param common what hadoop-common calls its version
   * @throws UnsupportedHadoopException if it is not
   */
  static void check(String common, ClassLoader loader) {
    HadoopVersion version = HadoopVersion.parse(common);
    for (Part part : OF_HDFS) {
      Optional<String> other =
          root(part.entry(), loader)
              .flatMap(root -> version(part.name(), root, loader))
              .filter(text -> !HadoopVersion.of(text).equals(Optional.of(version)));
      if (other.isPresent()) {
        throw UnsupportedHadoopException.mixed(
            described("hadoop-common", common, COMMON, loader),
            described(part.name(), other.get(), part.entry(), loader));
      }
    }
  }

  private static String described(String name, String version, String entry, ClassLoader loader) {
    String place =
        root(entry, loader)
            .map(root -> root.replaceFirst("^(jar:)?file:", "").replaceFirst("!?/$", ""))
            .orElse("not known where");
    return "%s %s (%s)".formatted(name, version, place);
  }

  /** The jar or directory in which a loader finds an entry first, as its URLs begin. */
  private static Optional<String> root(String entry, ClassLoader loader) {
    return Optional.ofNullable(loader.getResource(entry))
        .map(URL::toString)
        .filter(url -> url.endsWith(entry))
        .map(url -> url.substring(0, url.length() - entry.length()));
  }

  private static Optional<String> version(String name, String root, ClassLoader loader) {
    Matcher file = Pattern.compile(".*/" + name + "-(\\d[^/]*)\\.jar!/").matcher(root);
    return ofMaven(name, root, loader)
        .or(() -> file.matches() ? Optional.of(file.group(1)) : Optional.empty())
        .filter(text -> HadoopVersion.of(text).isPresent());
  }

  /** The version that Maven's description in a jar has; empty where there is none. */
  private static Optional<String> ofMaven(String name, String root, ClassLoader loader) {
    String entry = "META-INF/maven/org.apache.hadoop/" + name + "/pom.properties";
    try {
      for (URL url : Collections.list(loader.getResources(entry))) {
        if (url.toString().equals(root + entry)) {
          Properties properties = new Properties();
          try (InputStream in = url.openStream()) {
            properties.load(in);
          }
          return Optional.ofNullable(properties.getProperty("version"));
        }
      }
    } catch (IOException | IllegalArgumentException e) {
      LOG.debug("{} in {} is not readable", entry, root, e);
    }
    return Optional.empty();
  }
}
