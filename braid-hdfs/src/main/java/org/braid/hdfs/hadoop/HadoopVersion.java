package org.braid.hdfs.hadoop;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.util.VersionInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The version of a Hadoop. Distributions append their own to Apache's: {@code 3.4.1.7.3.1.0-197},
 * {@code 3.4.1-amzn-2}.
 *
 * <p>This class names nothing that only some versions of Hadoop have, so that it can refuse the
 * others before a class that does is loaded.
 */
public record HadoopVersion(int major, int minor, int patch) implements Comparable<HadoopVersion> {
  /** The oldest version that the daemons' plugins run in. */
  public static final HadoopVersion OLDEST = new HadoopVersion(3, 4, 1);

  /** The newest line of versions that the daemons' plugins run in: its patches are, too. */
  public static final HadoopVersion NEWEST = new HadoopVersion(3, 5, 0);

  private static final Logger LOG = LoggerFactory.getLogger(HadoopVersion.class);
  private static final Pattern FORM = Pattern.compile("(\\d+)\\.(\\d+)\\.(\\d+)(?!\\d).*");

  private static final Comparator<HadoopVersion> ORDER =
      Comparator.comparingInt(HadoopVersion::major)
          .thenComparingInt(HadoopVersion::minor)
          .thenComparingInt(HadoopVersion::patch);

  /**
   * The version that a text names.
   *
   * @throws UnsupportedHadoopException if it names none
   */
  public static HadoopVersion parse(String text) {
    return of(text)
        .orElseThrow(
            () -> UnsupportedHadoopException.of("Hadoop calls its version '" + text + "'"));
  }

  /** The same; empty if the text names no version. */
  static Optional<HadoopVersion> of(String text) {
    Matcher parts = FORM.matcher(text);
    return parts.matches()
        ? Optional.of(
            new HadoopVersion(
                Integer.parseInt(parts.group(1)),
                Integer.parseInt(parts.group(2)),
                Integer.parseInt(parts.group(3))))
        : Optional.empty();
  }

  /**
   * Checks that daemons of the Hadoop of this process can run Braid, and logs why they cannot: it
   * is of another version, or its parts are of different ones.
   *
   * @throws UnsupportedHadoopException if they cannot
   */
  public static void check() {
    try {
      check(VersionInfo.getVersion());
      HadoopParts.check(VersionInfo.getVersion(), VersionInfo.class.getClassLoader());
    } catch (UnsupportedHadoopException e) {
      LOG.error("Braid does not run here: {}", e.getMessage());
      throw e;
    }
  }

  /** The same for a Hadoop that calls its version so. */
  static void check(String text) {
    HadoopVersion version = parse(text);
    boolean newer =
        version.major > NEWEST.major
            || (version.major == NEWEST.major && version.minor > NEWEST.minor);
    if (newer || version.compareTo(OLDEST) < 0) {
      throw UnsupportedHadoopException.of("this is Hadoop " + text);
    }
  }

  @Override
  public int compareTo(HadoopVersion other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return "%d.%d.%d".formatted(major, minor, patch);
  }
}
