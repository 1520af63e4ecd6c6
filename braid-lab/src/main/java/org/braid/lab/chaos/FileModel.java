package org.braid.lab.chaos;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.SortedMap;
import java.util.TreeMap;
import org.braid.hdfs.testkit.lab.Command;
import org.braid.hdfs.testkit.lab.GeneratedContent;

/** The right content of all files and snapshots of a client. */
final class FileModel {
  private final TreeMap<String, Entry> files = new TreeMap<>();
  private final TreeMap<String, Map<String, GeneratedContent>> snapshots = new TreeMap<>();

  /**
   * A file.
   *
   * @param inSnapshot whether it was ever in a snapshot: HDFS does not concatenate such files
   * @param movedSince whether it was renamed since: when such a file is truncated, HDFS 3.5.0 cuts
   *     the snapshot's file, too, which then cannot be opened
   */
  record Entry(GeneratedContent content, int replication, boolean inSnapshot, boolean movedSince) {
    private Entry with(GeneratedContent other) {
      return new Entry(other, replication, inSnapshot, movedSince);
    }
  }

  /** The files by path. */
  SortedMap<String, Entry> files() {
    return files;
  }

  /** The file of a path. */
  Entry file(String path) {
    Entry entry = files.get(path);
    if (entry == null) {
      throw new NoSuchElementException("the model has no file " + path);
    }
    return entry;
  }

  /** The paths of snapshots, as {@code DIRECTORY/.snapshot/NAME}. */
  Collection<String> snapshots() {
    return snapshots.keySet();
  }

  /** All that can be read, by path: files, and files of snapshots. */
  SortedMap<String, GeneratedContent> contents() {
    TreeMap<String, GeneratedContent> all = new TreeMap<>();
    files.forEach((path, entry) -> all.put(path, entry.content()));
    snapshots.forEach(
        (root, kept) -> kept.forEach((below, content) -> all.put(root + below, content)));
    return all;
  }

  /** Bytes of all files, without files that only snapshots have. */
  long bytes() {
    return files.values().stream().mapToLong(entry -> entry.content().length()).sum();
  }

  /** The paths of the files below a directory. */
  List<String> below(String directory) {
    return new ArrayList<>(files.subMap(directory + "/", directory + "0").keySet());
  }

  /** The path of a snapshot. */
  static String snapshot(String directory, String name) {
    return directory + "/.snapshot/" + name;
  }

  /**
   * Whether a step ends for certain only if the NameNode is not restarted meanwhile: when it is
   * while a file is truncated inside a block that a snapshot has, too, HDFS 3.5.0 never closes the
   * file, as it looks for replicas of the block that is to be the cut one's copy.
   */
  boolean outlivesNoRestart(Command step) {
    return step instanceof Command.Truncate truncate && file(truncate.path()).inSnapshot();
  }

  /** Makes a change that succeeds. */
  void apply(Command.Change change) {
    String path = change.path();
    if (change instanceof Command.Create create) {
      files.put(path, new Entry(create.content(), create.replication(), false, false));
    } else if (change instanceof Command.Append append) {
      Entry entry = file(path);
      files.put(path, entry.with(entry.content().plus(append.more())));
    } else if (change instanceof Command.Truncate truncate) {
      Entry entry = file(path);
      files.put(path, entry.with(entry.content().first(truncate.length())));
    } else if (change instanceof Command.Concat concat) {
      Entry entry = file(path);
      GeneratedContent all = entry.content();
      for (String source : concat.sources()) {
        all = all.plus(file(source).content());
        files.remove(source);
      }
      files.put(path, entry.with(all));
    } else if (change instanceof Command.Rename rename) {
      Entry entry = file(path);
      files.remove(path);
      boolean moved = entry.movedSince() || entry.inSnapshot();
      files.put(
          rename.to(), new Entry(entry.content(), entry.replication(), entry.inSnapshot(), moved));
    } else if (change instanceof Command.Delete) {
      files.remove(path);
      below(path).forEach(files::remove);
    } else if (change instanceof Command.SetReplication set) {
      Entry entry = file(path);
      files.put(
          path,
          new Entry(entry.content(), set.replication(), entry.inSnapshot(), entry.movedSince()));
    } else if (change instanceof Command.Snapshot take) {
      take(take);
    } else if (change instanceof Command.DropSnapshot drop) {
      snapshots.remove(snapshot(path, drop.name()));
    }
  }

  private void take(Command.Snapshot take) {
    Map<String, GeneratedContent> kept = new TreeMap<>();
    for (String path : below(take.path())) {
      Entry entry = file(path);
      kept.put(path.substring(take.path().length()), entry.content());
      files.put(path, new Entry(entry.content(), entry.replication(), true, entry.movedSince()));
    }
    snapshots.put(snapshot(take.path(), take.name()), kept);
  }
}
