package org.braid.hdfs.coordinator.session;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.braid.hdfs.coordinator.session.NameNodeCalls.FilePage;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.StoredFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists the files at and below some paths in batches, so that memory never holds all of them. A
 * batch ends at the end of a directory, so that files that may share stripes are together; only a
 * directory that is larger than a batch is cut.
 */
public final class FileBatches {
  private static final Logger LOG = LoggerFactory.getLogger(FileBatches.class);

  /** Files and blocks of a batch. */
  private static final int SIZE = 100_000;

  /** The same for files that were placed for stripes across files, which stay together. */
  private static final int MOST = 1_000_000;

  private static final int FILES_A_CALL = 500;

  /** Pages of files. */
  public interface Pages {
    /**
     * The next files at or below a path.
     *
     * @param after only files after this path; empty: from the first one
     */
    FilePage after(String path, Optional<String> after) throws IOException;
  }

  /** The files of a batch below one of the paths: after one file and up to another. */
  private record Stretch(String path, Optional<String> after, Optional<String> until) {}

  private final Pages pages;
  private final List<String> paths;
  private final int size;
  private final int most;

  /** Listed files that are not yet in a batch. */
  private final List<Listed> listed = new ArrayList<>();

  /** The index of the path that is being listed. */
  private int listing;

  /** The file after which its next page begins; empty: at the beginning. */
  private Optional<String> cursor = Optional.empty();

  /** The file after which the next batch begins below its first path; empty: at the beginning. */
  private Optional<String> begin = Optional.empty();

  /** Whether a path that does not exist is an error. */
  private boolean strict = true;

  /** A file and the path below which it was listed. */
  private record Listed(int path, StoredFile file) {
    int weight() {
      return 1 + file.blocks().size();
    }

    /** The key of files that belong in one batch. */
    String together() {
      String path = file.path();
      return file.across().isPresent()
          ? "across " + file.across().get()
          : path.substring(0, path.lastIndexOf('/') + 1);
    }
  }

  public FileBatches(NameNodeCalls nameNode, List<String> paths) {
    this(nameNode::filesAfter, paths);
  }

  /** Creates batches from pages. */
  public FileBatches(Pages pages, List<String> paths) {
    this(pages, paths, SIZE, MOST);
  }

  /**
   * Creates batches of a given size.
   *
   * @param size files and blocks of a batch
   * @param most the same for files that were placed for stripes across files
   */
  public FileBatches(Pages pages, List<String> paths, int size, int most) {
    this.pages = pages;
    this.size = size;
    this.most = most;
    Set<String> asked = new LinkedHashSet<>(paths);
    this.paths = asked.stream().filter(path -> !isBelowAnother(path, asked)).toList();
  }

  private static boolean isBelowAnother(String path, Set<String> asked) {
    for (int slash = path.lastIndexOf('/'); slash >= 0; slash = path.lastIndexOf('/', slash - 1)) {
      // A directory may have been asked for with a slash at its end.
      for (int end = slash; end <= slash + 1; end++) {
        String above = path.substring(0, end);
        if (end < path.length() && asked.contains(above)) {
          return true;
        }
      }
    }
    return false;
  }

  /** A batch, which has each file once, and can list its files again in their later state. */
  public final class Batch {
    private final List<Stretch> stretches;
    private final List<StoredFile> files;

    private Batch(List<Stretch> stretches, List<StoredFile> files) {
      this.stretches = stretches;
      this.files = files;
    }

    /** The files as they were listed. */
    public List<StoredFile> files() {
      return files;
    }

    /** About the number of calls that listing the files again takes. */
    public int calls() {
      return stretches.size() + files.size() / FILES_A_CALL;
    }

    /** The current files at the paths of the batch. */
    public List<StoredFile> now() throws IOException {
      List<StoredFile> now = new ArrayList<>();
      for (Stretch stretch : stretches) {
        try {
          list(stretch, now);
        } catch (FileNotFoundException e) {
          LOG.info("{} is gone", stretch.path());
        }
      }
      return now;
    }

    /** The current files at the paths of the batch, and its files that users renamed elsewhere. */
    public List<StoredFile> present() throws IOException {
      List<StoredFile> present = now();
      Set<Long> missing = new LinkedHashSet<>();
      files.forEach(file -> missing.add(file.inode()));
      present.forEach(file -> missing.remove(file.inode()));
      for (long inode : missing) {
        try {
          present.addAll(pages.after(BraidPaths.inode(inode), Optional.empty()).files());
        } catch (FileNotFoundException e) {
          LOG.debug("file {} was deleted", inode);
        }
      }
      return present;
    }
  }

  private void list(Stretch stretch, List<StoredFile> now) throws IOException {
    Optional<String> after = stretch.after();
    do {
      FilePage page = pages.after(stretch.path(), after);
      for (StoredFile file : page.files()) {
        if (stretch.until().isPresent() && isBehind(file.path(), stretch.until().get())) {
          return;
        }
        now.add(file);
      }
      after = page.last();
    } while (after.isPresent());
  }

  /**
   * Whether a path comes after another one in listings. Components are compared as HDFS compares
   * them, as signed bytes, so that non-ASCII names come before ASCII names.
   */
  static boolean isBehind(String path, String other) {
    String[] names = path.split("/", -1);
    String[] others = other.split("/", -1);
    for (int i = 0; i < Math.min(names.length, others.length); i++) {
      int order =
          Arrays.compare(
              names[i].getBytes(StandardCharsets.UTF_8),
              others[i].getBytes(StandardCharsets.UTF_8));
      if (order != 0) {
        return order > 0;
      }
    }
    return names.length > others.length;
  }

  /** Makes paths that do not exist no error. */
  public FileBatches passingOverMissing() {
    strict = false;
    return this;
  }

  /** Whether there may be another batch. */
  public boolean hasMore() {
    return !listed.isEmpty() || listing < paths.size();
  }

  /**
   * The next files; empty when there are no more.
   *
   * @throws FileNotFoundException when a path of the first batch does not exist; others are passed
   *     over, as users may have deleted them meanwhile
   */
  public Optional<Batch> next() throws IOException {
    int end = end();
    List<Stretch> stretches = new ArrayList<>();
    Map<Long, StoredFile> files = new LinkedHashMap<>();
    for (int i = 0; i < end; i++) {
      Listed at = listed.get(i);
      files.put(at.file().inode(), at.file());
      boolean goesOn =
          i + 1 < listed.size()
              ? at.path() == listed.get(i + 1).path()
              : at.path() == listing && cursor.isPresent();
      if (i + 1 == end || !goesOn) {
        Optional<String> until = goesOn ? Optional.of(at.file().path()) : Optional.empty();
        stretches.add(new Stretch(paths.get(at.path()), begin, until));
        begin = until;
      }
    }
    listed.subList(0, end).clear();
    strict = false;
    return end == 0
        ? Optional.empty()
        : Optional.of(new Batch(stretches, List.copyOf(files.values())));
  }

  /** Number of listed files that form the next batch; lists as many pages as it needs. */
  private int end() throws IOException {
    int weight = listed.stream().mapToInt(Listed::weight).sum();
    int wanted = size;
    while (true) {
      while (weight < wanted && listing < paths.size()) {
        weight += list();
      }
      int end = boundary();
      if (end > 0 || listed.isEmpty()) {
        return end;
      }
      if (listed.get(0).file().across().isEmpty() || weight >= most) {
        return listed.size();
      }
      wanted = weight + size;
    }
  }

  /**
   * The last end within the batch size of files that stay together, or else the first end; 0 for
   * none.
   */
  private int boundary() {
    int found = 0;
    int weight = 0;
    for (int i = 1; i <= listed.size(); i++) {
      weight += listed.get(i - 1).weight();
      boolean end =
          i == listed.size()
              ? listing == paths.size()
              : !listed.get(i).together().equals(listed.get(i - 1).together());
      if (end && (found == 0 || weight <= size)) {
        found = i;
      }
    }
    return found;
  }

  /** Lists a page; returns the weight of its files. */
  private int list() throws IOException {
    int before = listed.size();
    try {
      FilePage page = pages.after(paths.get(listing), cursor);
      page.files().forEach(file -> listed.add(new Listed(listing, file)));
      cursor = page.last();
    } catch (FileNotFoundException e) {
      if (strict) {
        throw e;
      }
      LOG.info("{} is gone", paths.get(listing));
      cursor = Optional.empty();
    }
    if (cursor.isEmpty()) {
      listing++;
    }
    return listed.subList(before, listed.size()).stream().mapToInt(Listed::weight).sum();
  }
}
