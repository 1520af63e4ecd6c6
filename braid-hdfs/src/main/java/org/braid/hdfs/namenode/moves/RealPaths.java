package org.braid.hdfs.namenode.moves;

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.ipc.RetriableException;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.jspecify.annotations.Nullable;

/** Resolves the paths that clients name, because the same file has several paths. */
public final class RealPaths {
  private static final String RESERVED = "/.reserved";
  private static final String RAW = RESERVED + "/raw";
  private static final Pattern SLASHES = Pattern.compile("/{2,}");
  private static final int MOST_TELLS = 8;

  private final NameNodeHost host;

  public RealPaths(NameNodeHost host) {
    this.host = host;
  }

  /** A path as HDFS reads it, outside of its raw names. */
  public static String plain(String path) {
    String single = SLASHES.matcher(path).replaceAll("/"); // as HDFS reads them
    String name = single.startsWith(RAW + "/") ? single.substring(RAW.length()) : single;
    return name.length() > 1 && name.endsWith("/") ? name.substring(0, name.length() - 1) : name;
  }

  /** The path of an existing or future file by HDFS's own names. */
  public String where(String path) throws IOException {
    return host.readingFiles("braidPath", () -> whereUnderLock(path));
  }

  /** The path by HDFS's own names; takes no lock if it follows from the text of the path. */
  public String whereAtOnce(String path) throws IOException {
    String plain = plain(path);
    return isAtOrBelow(plain, RESERVED) ? where(path) : plain;
  }

  /** Receives resolved paths. */
  @FunctionalInterface
  public interface Told<T extends Closeable> {
    /** Receives resolved paths; closing the result ends their use. */
    T of(List<String> places) throws IOException;
  }

  /**
   * Resolves paths and passes them on, again until they are unchanged after the receiver knows
   * them: an inode number leads to another path when the inode, or a directory above it, is
   * renamed.
   *
   * @throws IOException when the paths change all the time
   */
  public <T extends Closeable> T tell(List<String> all, Told<T> told) throws IOException {
    for (int i = 0; i < MOST_TELLS; i++) {
      List<String> places = whereAtOnce(all);
      T knows = told.of(places);
      boolean there = false;
      try {
        there = places.equals(whereAtOnce(all));
      } finally {
        if (!there) {
          knows.close();
        }
      }
      if (there) {
        return knows;
      }
    }
    throw new RetriableException(
        "%s lead elsewhere all the time, as files are being renamed: try again"
            .formatted(String.join(", ", all)));
  }

  private List<String> whereAtOnce(List<String> all) throws IOException {
    List<String> places = new ArrayList<>();
    for (String path : all) {
      places.add(whereAtOnce(path));
    }
    return places;
  }

  /** The path by HDFS's own names; the lock is held. */
  public String whereUnderLock(String path) throws IOException {
    String plain = plain(path);
    INode inode = present(path);
    if (inode != null) {
      return inode.getFullPathName();
    }
    int name = plain.lastIndexOf('/');
    INode parent = name > 0 ? present(plain.substring(0, name)) : null;
    if (parent != null) {
      return (parent.getFullPathName().equals("/") ? "" : parent.getFullPathName())
          + plain.substring(name);
    }
    // What HDFS lists below its reserved names is the whole namespace.
    return isAtOrBelow(plain, RESERVED) ? "/" : plain;
  }

  private @Nullable INode present(String path) throws IOException {
    try {
      return host.inode(path);
    } catch (FileNotFoundException e) { // a number that leads nowhere
      return null;
    }
  }

  /** Whether one of two paths is at or below the other one. */
  public static boolean overlap(String one, String other) {
    return isAtOrBelow(one, other) || isAtOrBelow(other, one);
  }

  /** Whether a path is {@code top}, or below it. */
  public static boolean isAtOrBelow(String path, String top) {
    return top.equals("/") || path.equals(top) || path.startsWith(top + "/");
  }
}
