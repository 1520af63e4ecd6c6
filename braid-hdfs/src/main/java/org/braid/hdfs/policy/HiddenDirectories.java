package org.braid.hdfs.policy;

import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Directories whose names begin with {@code .} or {@code _}. Hadoop's input formats skip them:
 * jobs, tables and file systems keep unfinished, deleted or internal files there, as in {@code
 * _temporary}, {@code .hive-staging_1}, {@code .Trash} and {@code _delta_log}. Files in them are
 * converted only if a path names the directory.
 */
public final class HiddenDirectories {
  /** Why files in them are left alone, in a word. */
  public static final String CAUSE = "HIDDEN";

  private static final String REASON =
      "it is in a directory whose name begins with . or _, which Hadoop's jobs pass over: to"
          + " convert it, name %s ";

  private final Set<String> named;

  private HiddenDirectories(Set<String> named) {
    this.named = named;
  }

  /** The hidden directories below some paths, without those that the paths themselves contain. */
  public static HiddenDirectories below(Collection<String> paths) {
    return new HiddenDirectories(
        paths.stream()
            .map(path -> path.endsWith("/") ? path.substring(0, path.length() - 1) : path)
            .collect(Collectors.toSet()));
  }

  /**
   * The innermost hidden directory of a file; empty when there is none, or when a path names the
   * file, that directory, or a path between both.
   *
   * @param other another path of the file, which may have been named
   */
  public Optional<String> around(String file, String other) {
    return innermost(file).filter(directory -> !named.contains(other) && !isNamed(file, directory));
  }

  private boolean isNamed(String file, String directory) {
    String path = file;
    while (path.length() >= directory.length()) {
      if (named.contains(path)) {
        return true;
      }
      path = path.substring(0, path.lastIndexOf('/'));
    }
    return false;
  }

  /** The innermost directory with such a name that a file is in. */
  static Optional<String> innermost(String file) {
    int end = file.lastIndexOf('/');
    while (end > 0) {
      int slash = file.lastIndexOf('/', end - 1);
      if (isHidden(file.substring(slash + 1, end))) {
        return Optional.of(file.substring(0, end));
      }
      end = slash;
    }
    return Optional.empty();
  }

  /** Whether a name is that of a hidden directory. */
  static boolean isHidden(String name) {
    return !name.isEmpty() && hides(name.charAt(0));
  }

  /** Whether a directory is hidden whose name begins with a character. */
  static boolean hides(int first) {
    return first == '.' || first == '_';
  }

  /** Why a command leaves a file in a hidden directory alone, and what to do. */
  public static String reason(String directory) {
    return REASON.formatted(directory) + "itself";
  }

  /** Why a policy leaves a file in a hidden directory alone, and what to do. */
  public static String reasonOfPolicy(String directory) {
    return REASON.formatted(directory) + "in the path of a policy before this one";
  }
}
