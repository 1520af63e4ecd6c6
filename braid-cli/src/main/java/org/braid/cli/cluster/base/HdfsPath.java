package org.braid.cli.cluster.base;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A path of the command line: {@code /DIR/FILE} or {@code hdfs://HOST:PORT/DIR/FILE}.
 *
 * @param fileSystem the file system that it names, if any
 * @param path absolute
 */
public record HdfsPath(Optional<String> fileSystem, String path) {
  /** Everything on the file system that is configured. */
  public static final HdfsPath ROOT = new HdfsPath(Optional.empty(), "/");

  /**
   * Reads a path.
   *
   * @throws IllegalArgumentException when it is neither of the two
   */
  public static HdfsPath parse(String text) {
    if (text.startsWith("/")) {
      return new HdfsPath(Optional.empty(), text);
    }
    try {
      URI uri = new URI(text);
      if ("hdfs".equals(uri.getScheme()) && uri.getAuthority() != null) {
        String path = uri.getPath().isEmpty() ? "/" : uri.getPath();
        return new HdfsPath(Optional.of("hdfs://" + uri.getAuthority()), path);
      }
    } catch (URISyntaxException e) {
      throw notOne(text, e);
    }
    throw notOne(text, null);
  }

  private static IllegalArgumentException notOne(String text, @Nullable Throwable cause) {
    return new IllegalArgumentException(
        "\"" + text + "\" is not a path: write /DIR/FILE or hdfs://HOST:PORT/DIR/FILE", cause);
  }
}
