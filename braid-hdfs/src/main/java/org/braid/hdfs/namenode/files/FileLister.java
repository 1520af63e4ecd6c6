package org.braid.hdfs.namenode.files;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeDirectory;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.INodesInPath;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.apache.hadoop.hdfs.util.ReadOnlyList;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.Namespace;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.StoredFile;
import org.jspecify.annotations.Nullable;

/**
 * Lists files with their blocks, in the order of a depth-first walk: paths compared component by
 * component, as signed bytes. Symbolic links and Braid's own directory are left out.
 */
public final class FileLister {
  /** Inodes looked at in one hold of the lock. */
  private static final int CHUNK = 1000;

  /** With so many blocks a page is full. */
  private static final int MOST_BLOCKS = 10_000;

  /** Nanoseconds of a hold of the lock, but for the last inode. */
  private static final long HOLD_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final NameNodeHost host;

  public FileLister(NameNodeHost host) {
    this.host = host;
  }

  /**
   * Some of the files at or below a path.
   *
   * @param last the last path that was looked at; null when there is none
   * @param more whether there are others behind it
   */
  public record Page<T>(List<T> files, @Nullable String last, boolean more) {}

  /** Creates the entry of a file under the namesystem's lock. */
  public interface View<T> {
    T of(INodeFile file, String path) throws IOException;
  }

  /**
   * Lists a file, or all files below a directory, with their descriptions.
   *
   * @see #list(String, String, int, View)
   */
  public Page<StoredFile> list(String path, @Nullable String after, int limit) throws IOException {
    List<StoredFile> files = new ArrayList<>();
    String from = after;
    Page<Listed> page;
    do { // whoever asks goes on behind the last file
      page =
          list(
              path,
              from,
              limit,
              (file, at) ->
                  new Listed(
                      file, at, FileView.isLarge(file) ? null : FileView.describe(host, file, at)));
      for (Listed listed : page.files) {
        if (listed.described != null) {
          files.add(listed.described);
        } else {
          FileView.describeInParts(host, listed.file, listed.path).ifPresent(files::add);
        }
      }
      from = page.last;
    } while (files.isEmpty() && page.more);
    return new Page<>(files, page.last, page.more);
  }

  /**
   * A file on a page.
   *
   * @param described null when it is to be described in parts
   */
  private record Listed(INodeFile file, String path, @Nullable StoredFile described) {}

  /** Lists the file or directory with an inode number, wherever it is now, with descriptions. */
  public Page<StoredFile> list(long inode, @Nullable String after, int limit) throws IOException {
    return list(BraidPaths.inode(inode), after, limit);
  }

  /**
   * Lists a file, or all files below a directory.
   *
   * @param path path, or {@code /.reserved/.inodes/N} for the inode with number N, wherever it is
   *     now
   * @param after only paths behind this one; null for all
   * @param limit maximum number of files
   * @throws FileNotFoundException when the path does not exist
   */
  public <T> Page<T> list(String path, @Nullable String after, int limit, View<T> view)
      throws IOException {
    if (limit < 1) {
      throw new IOException("a limit of " + limit + " files lists none: needed is 1 or more");
    }
    String root =
        path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    if (!root.startsWith("/")) {
      throw new IOException("path \"" + path + "\" is not absolute");
    }
    List<T> files = new ArrayList<>();
    String cursor = after;
    boolean more = true;
    int blocks = 0;
    while (more && files.size() < limit && blocks < MOST_BLOCKS) {
      String from = cursor;
      Walk<T> walk =
          host.reading(
              "braidFiles", () -> new Walk<>(root, from, limit - files.size(), view).run());
      files.addAll(walk.files);
      blocks += walk.blocks;
      cursor = walk.last;
      more = walk.cut;
    }
    return new Page<>(files, cursor, more);
  }

  /** What one hold of the lock finds. */
  private final class Walk<T> {
    private final String root;
    private final @Nullable String after;
    private final int limit;
    private final View<T> view;
    private final List<T> files = new ArrayList<>();
    private final long end = System.nanoTime() + HOLD_NANOS;
    private int seen;
    private int blocks;
    private @Nullable String last;
    private boolean cut;

    Walk(String root, @Nullable String after, int limit, View<T> view) {
      this.root = root;
      this.after = after;
      this.limit = limit;
      this.view = view;
      this.last = after;
    }

    Walk<T> run() throws IOException {
      INodesInPath resolved = resolved();
      INode inode = resolved == null ? null : resolved.getLastINode();
      if (resolved == null || inode == null) {
        if (after != null) {
          return this; // deleted since the walk began
        }
        throw new FileNotFoundException("File does not exist: " + root);
      }
      String place = resolved.getPath();
      if (place.startsWith(BraidPaths.ROOT + "/")) {
        return this;
      }
      boolean inSnapshot = resolved.getPathSnapshotId() != Snapshot.CURRENT_STATE_ID;
      if (inSnapshot) {
        throw new IOException(
            root + " is in a snapshot, which cannot change: name the path without .snapshot");
      }
      if (inode.isFile()) {
        if (after == null) {
          add(inode, place);
        }
      } else if (inode.isDirectory()) {
        directory(inode.asDirectory(), place, resume(place));
      }
      return this;
    }

    /** What leads to the root; null for a number that nothing in the namespace has. */
    private @Nullable INodesInPath resolved() throws IOException {
      FSDirectory directory = host.namesystem().getFSDirectory();
      if (!BraidPaths.inodeAt(root).isPresent()) {
        return directory.unprotectedResolvePath(root);
      }
      INode inode = host.numbered(root);
      return inode == null ? null : Namespace.pathTo(directory, inode).orElse(null);
    }

    /** The components of {@code after} below the root; empty when the walk starts anew. */
    private byte[][] resume(String place) throws IOException {
      String from = after;
      if (from == null) {
        return new byte[0][];
      }
      String prefix = place.equals("/") ? place : place + "/";
      if (!from.startsWith(prefix) || from.length() == prefix.length()) {
        throw new IOException("cannot resume behind " + from + ": it is not below " + place);
      }
      return Arrays.stream(from.substring(prefix.length()).split("/"))
          .map(name -> name.getBytes(StandardCharsets.UTF_8))
          .toArray(byte[][]::new);
    }

    private void directory(INodeDirectory directory, String path, byte[][] resume)
        throws IOException {
      if (path.equals(BraidPaths.ROOT)) {
        return;
      }
      ReadOnlyList<INode> children = directory.getChildrenList(Snapshot.CURRENT_STATE_ID);
      int i = 0;
      if (resume.length > 0) {
        int found = ReadOnlyList.Util.binarySearch(children, resume[0]);
        i = found >= 0 ? found : -found - 1;
        if (found >= 0) {
          INode child = children.get(found);
          if (resume.length > 1 && child.isDirectory()) {
            directory(
                child.asDirectory(),
                join(path, child),
                Arrays.copyOfRange(resume, 1, resume.length));
          } else if (child.isDirectory()) {
            // The walk stopped as it reached this directory: what it holds is still to come.
            directory(child.asDirectory(), join(path, child), new byte[0][]);
          }
          i++;
        }
      }
      for (; i < children.size() && !cut; i++) {
        INode child = children.get(i);
        String childPath = join(path, child);
        if (files.size() >= limit || seen >= CHUNK || (seen > 0 && System.nanoTime() > end)) {
          cut = true;
          return;
        }
        seen++;
        last = childPath;
        if (child.isFile()) {
          add(child, childPath);
        } else if (child.isDirectory()) {
          directory(child.asDirectory(), childPath, new byte[0][]);
        }
      }
    }

    private void add(INode inode, String path) throws IOException {
      INodeFile file = inode.asFile();
      files.add(view.of(file, path));
      blocks += file.isStriped() ? 0 : file.numBlocks();
    }
  }

  private static String join(String path, INode child) {
    return (path.equals("/") ? "" : path) + "/" + child.getLocalName();
  }
}
