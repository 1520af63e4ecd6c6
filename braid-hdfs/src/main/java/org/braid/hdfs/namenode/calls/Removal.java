package org.braid.hdfs.namenode.calls;

import java.util.Optional;

/**
 * What a call of a client takes out of the namespace.
 *
 * @param path a file, a directory, or the root of a snapshot
 * @param kind what of it
 * @param length bytes that stay of a file that is cut
 * @param other the path of the file that takes the place of one that is replaced, or the name of a
 *     snapshot; else empty
 */
public record Removal(String path, Kind kind, long length, String other) {
  /** What goes. */
  public enum Kind {
    /** A file, or a directory with all below it. */
    TREE,
    /** A file, but no directory. */
    FILE,
    /** A file, because another one is renamed to its path. */
    REPLACED,
    /** What a file holds, because another one takes its place. */
    CONTENT,
    /** What lies behind a length. */
    TAIL,
    /** What only a snapshot has. */
    SNAPSHOT
  }

  /** A file, or a directory with all below it. */
  public static Removal tree(String path) {
    return new Removal(path, Kind.TREE, 0, "");
  }

  /** A file. */
  public static Removal file(String path) {
    return new Removal(path, Kind.FILE, 0, "");
  }

  /**
   * A file to whose path another one is renamed.
   *
   * @param other the path of that one
   */
  public static Removal replaced(String path, String other) {
    return new Removal(path, Kind.REPLACED, 0, other);
  }

  /** What a file holds. */
  public static Removal content(String path) {
    return new Removal(path, Kind.CONTENT, 0, "");
  }

  /** What a file holds behind a length. */
  public static Removal tail(String path, long length) {
    return new Removal(path, Kind.TAIL, length, "");
  }

  /** A snapshot of a directory. */
  public static Removal snapshot(String root, String name) {
    return new Removal(root, Kind.SNAPSHOT, 0, name);
  }

  /** Whether it takes seconds to look at, as HDFS alone knows what goes. */
  boolean isLong() {
    return kind == Kind.SNAPSHOT;
  }

  /** Whether it is what is at its path that goes, or some of it, whatever that is by then. */
  boolean isOfPath() {
    return kind != Kind.SNAPSHOT;
  }

  /** The path of the file that takes the place of one that is replaced. */
  Optional<String> replacing() {
    return kind == Kind.REPLACED ? Optional.of(other) : Optional.empty();
  }

  /** The name that HDFS's audit log has for it. */
  String command() {
    return switch (kind) {
      case TREE, FILE -> "delete";
      case REPLACED -> "rename";
      case CONTENT -> "create";
      case TAIL -> "truncate";
      case SNAPSHOT -> "deleteSnapshot";
    };
  }

  /** What goes, in words. */
  String described() {
    return switch (kind) {
      case TREE, FILE, REPLACED -> path;
      case CONTENT -> "what " + path + " holds";
      case TAIL -> "what " + path + " holds behind byte " + length;
      case SNAPSHOT -> "snapshot " + other + " of " + path;
    };
  }
}
