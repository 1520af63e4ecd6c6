package org.braid.hdfs.namenode.moves;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.regex.Pattern;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.jspecify.annotations.Nullable;

/** Where the paths that clients name lead: the same file has several. */
public final class RealPaths {
  private static final String RESERVED = "/.reserved";
  private static final String RAW = RESERVED + "/raw";
  private static final Pattern SLASHES = Pattern.compile("/{2,}");

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

  /** Where a path leads, or would if it were there, by HDFS's own names. */
  public String where(String path) throws IOException {
    return host.reading("braidPath", () -> whereUnderLock(path));
  }

  /** The same, without the lock where the path says so itself. */
  public String whereAtOnce(String path) throws IOException {
    String plain = plain(path);
    return isAtOrBelow(plain, RESERVED) ? where(path) : plain;
  }

  /** The same, under the lock. */
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

  /** Whether a path is another one, or below it. */
  public static boolean isAtOrBelow(String path, String top) {
    return top.equals("/") || path.equals(top) || path.startsWith(top + "/");
  }
}
