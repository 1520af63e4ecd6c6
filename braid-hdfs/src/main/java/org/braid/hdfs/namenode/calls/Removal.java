package org.braid.hdfs.namenode.calls;

import java.util.Optional;

/**
 * A removal of blocks from the namespace by a client's call.
 *
 * @param path a file, a directory, or the root of a snapshot
 * @param kind which blocks are removed
 * @param length length that a truncated file keeps
 * @param other path of the file that replaces another one, or name of a snapshot; else empty
 */
public record Removal(String path, Kind kind, long length, String other) {
  /** Which blocks are removed. */
  public enum Kind {
    /** A file, or a directory with all below it. */
    TREE,
    /** A file, never a directory. */
    FILE,
    /** A file that a renamed file replaces. */
    REPLACED,
    /** The content of a file that a created file replaces. */
    CONTENT,
    /** The blocks behind a length. */
    TAIL,
    /** The blocks that only a snapshot holds. */
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
   * The removal of a file that a renamed file replaces.
   *
   * @param other the path of the renamed file
   */
  public static Removal replaced(String path, String other) {
    return new Removal(path, Kind.REPLACED, 0, other);
  }

  /** The removal of a file's content. */
  public static Removal content(String path) {
    return new Removal(path, Kind.CONTENT, 0, "");
  }

  /** The removal of a file's content behind a length. */
  public static Removal tail(String path, long length) {
    return new Removal(path, Kind.TAIL, length, "");
  }

  /** The removal of a snapshot of a directory. */
  public static Removal snapshot(String root, String name) {
    return new Removal(root, Kind.SNAPSHOT, 0, name);
  }

  /** Whether its check takes seconds, because only HDFS knows which blocks are removed. */
  boolean isLong() {
    return kind == Kind.SNAPSHOT;
  }

  /** Whether it removes whatever is at its path when it runs. */
  boolean isOfPath() {
    return kind != Kind.SNAPSHOT;
  }

  /** The path of the file that replaces another one. */
  Optional<String> replacing() {
    return kind == Kind.REPLACED ? Optional.of(other) : Optional.empty();
  }

  /** Its command name in HDFS's audit log. */
  String command() {
    return switch (kind) {
      case TREE, FILE -> "delete";
      case REPLACED -> "rename";
      case CONTENT -> "create";
      case TAIL -> "truncate";
      case SNAPSHOT -> "deleteSnapshot";
    };
  }

  /** A description of the removal in words. */
  String described() {
    return switch (kind) {
      case TREE, FILE, REPLACED -> path;
      case CONTENT -> "what " + path + " holds";
      case TAIL -> "what " + path + " holds behind byte " + length;
      case SNAPSHOT -> "snapshot " + other + " of " + path;
    };
  }
}
