package org.braid.cli.cluster.base;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A path of the command line: {@code /DIR/FILE} or {@code hdfs://HOST:PORT/DIR/FILE}.
 *
 * @param fileSystem the file system that it names, if any
 * @param path absolute
 */
public record HdfsPath(Optional<String> fileSystem, String path) {
  private static final String SCHEME = "hdfs://";

  /**
   * Reads a path. As of Hadoop's own tools, what follows the host is no part of a URI: {@code %20},
   * {@code #} and {@code ?} stand for themselves.
   *
   * @throws IllegalArgumentException when it is neither of the two
   */
  public static HdfsPath parse(String text) {
    if (text.startsWith("/")) {
      return new HdfsPath(Optional.empty(), plain(text));
    }
    int slash = text.startsWith(SCHEME) ? text.indexOf('/', SCHEME.length()) : -1;
    String fileSystem = slash < 0 ? text : text.substring(0, slash);
    try {
      URI uri = new URI(fileSystem);
      if (fileSystem.equals(SCHEME + uri.getRawAuthority())) {
        return new HdfsPath(
            Optional.of(fileSystem), slash < 0 ? "/" : plain(text.substring(slash)));
      }
    } catch (URISyntaxException e) {
      throw notOne(text, e);
    }
    throw notOne(text, null);
  }

  /**
   * The path as Hadoop's clients make it, which the NameNode leaves as it is: one slash between two
   * names and none at its end, without {@code .} and {@code ..}.
   */
  private static String plain(String path) {
    Deque<String> names = new ArrayDeque<>();
    for (String name : path.split("/", -1)) {
      if (name.equals("..")) {
        if (names.pollLast() == null) {
          throw new IllegalArgumentException("\"" + path + "\" is not a path: it leads above /");
        }
      } else if (name.indexOf(':') >= 0) {
        throw new IllegalArgumentException(
            "\"" + path + "\" is not a path: no name in HDFS has a colon");
      } else if (!name.isEmpty() && !name.equals(".")) {
        names.addLast(name);
      }
    }
    return "/" + String.join("/", names);
  }

  private static IllegalArgumentException notOne(String text, @Nullable Throwable cause) {
    return new IllegalArgumentException(
        "\"" + text + "\" is not a path: write /DIR/FILE or hdfs://HOST:PORT/DIR/FILE", cause);
  }
}
