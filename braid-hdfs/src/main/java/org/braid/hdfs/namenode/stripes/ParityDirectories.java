package org.braid.hdfs.namenode.stripes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hdfs.server.namenode.INodeDirectory;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.Pages;
import org.braid.hdfs.namenode.stripes.ParityFiles.Parity;
import org.braid.hdfs.namenode.stripes.ParityFiles.Stamp;
import org.braid.hdfs.namenode.stripes.StripeIndex.Entry;
import org.braid.hdfs.namenode.stripes.StripeTable.Found;

/**
 * Compares the table of stripes with the directories of parity files, either those that have
 * changed or one after the other. Makes one comparison at a time.
 */
final class ParityDirectories {
  /** Stripes decoded between two holds of the lock. */
  private static final int PAGE = 200;

  /** From so many directories on several are looked at at once. */
  private static final int MANY = 64;

  private final NameNodeHost host;
  private final ParityFiles files;
  private final StripeTable table;
  private final Stripes stripes;

  /** The directories as they were when their files were looked at, by name. */
  private final Map<String, Stamp> stamps = new ConcurrentHashMap<>();

  /** The directory that was compared last by itself. */
  private String last = "";

  /** Receives the results of a comparison. */
  interface Stripes {
    /** A file describes a stripe that is new or has changed. Called by any thread. */
    void found(Parity parity, Entry entry);

    /** A file's description of a stripe is missing or unreadable. */
    void hidden();

    /** The stripes found in a page. */
    void found(List<Entry> page) throws IOException;
  }

  ParityDirectories(NameNodeHost host, ParityFiles files, StripeTable table, Stripes stripes) {
    this.host = host;
    this.files = files;
    this.table = table;
    this.stripes = stripes;
  }

  /** Lets the next comparison read all files. */
  void forget() {
    stamps.clear();
  }

  /**
   * Compares the files of directories that have changed.
   *
   * @param ownChanges whether this NameNode tells the table of all stripes that are published and
   *     deleted, so that a directory with the table's number of files counts as unchanged; asked
   *     under the namesystem's lock, because a NameNode that becomes active applies another one's
   *     edits
   */
  void compareChanged(BooleanSupplier ownChanges) throws IOException {
    Set<String> present = new HashSet<>();
    List<INodeDirectory> changed =
        host.readingFiles(
            "braidStripes",
            () -> {
              List<INodeDirectory> found = files.directories();
              found.forEach(directory -> present.add(directory.getLocalName()));
              found.removeIf(this::isAsBefore);
              return found;
            });
    if (!changed.isEmpty() && ownChanges.getAsBoolean()) {
      // Once for all of them, and before: there may be as many as stripes.
      Map<Long, Integer> hidden = files.countHidden(table::knows);
      boolean unused =
          host.readingFiles(
              "braidStripes",
              () ->
                  ownChanges.getAsBoolean()
                      && changed.removeIf(directory -> isKnown(directory, hidden)));
    }
    Map<String, Found> found = new ConcurrentHashMap<>();
    try {
      if (changed.size() < MANY) {
        for (INodeDirectory directory : changed) {
          found.put(directory.getLocalName(), compare(directory.getLocalName(), directory));
        }
      } else {
        compareAtOnce(changed, found);
      }
      for (String name : table.directories()) {
        if (!present.contains(name)) {
          stamps.remove(name);
          found.put(name, new Found(null, 0));
        }
      }
    } finally {
      table.retain(found); // all at once: it goes through all stripes
    }
  }

  /** As a NameNode starts there is nothing else that its processors could do. */
  private void compareAtOnce(List<INodeDirectory> changed, Map<String, Found> found)
      throws IOException {
    try {
      changed.parallelStream()
          .forEach(
              directory -> {
                try {
                  found.put(directory.getLocalName(), compare(directory.getLocalName(), directory));
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private boolean isAsBefore(INodeDirectory directory) {
    Stamp before = stamps.get(directory.getLocalName());
    return before != null && before.settled() && before.equals(ParityFiles.stamp(directory));
  }

  /**
   * Whether all files of a directory that was looked at before are known.
   *
   * @param hidden by the directory's inode, its files that describe no stripe
   */
  private boolean isKnown(INodeDirectory directory, Map<Long, Integer> hidden) {
    String name = directory.getLocalName();
    Stamp before = stamps.get(name);
    Stamp now = ParityFiles.stamp(directory);
    boolean known =
        before != null
            && before.inode() == now.inode()
            && now.files() == table.count(name) + hidden.getOrDefault(now.inode(), 0);
    if (known) {
      stamps.put(name, now);
    }
    return known;
  }

  /** Compares the files of the next directory by name, changed or not. */
  void compareNext() throws IOException {
    Optional<INodeDirectory> next =
        host.readingFiles(
            "braidStripes",
            () -> {
              List<INodeDirectory> all = files.directories();
              return all.stream()
                  .filter(directory -> directory.getLocalName().compareTo(last) > 0)
                  .findFirst()
                  .or(() -> all.stream().findFirst());
            });
    if (next.isPresent()) {
      last = next.get().getLocalName();
      table.retain(Map.of(last, compare(last, next.get())));
    }
  }

  /** Reads what is new in a directory, and counts the stripes that it has. */
  private Found compare(String name, INodeDirectory directory) throws IOException {
    List<Parity> fresh = new ArrayList<>();
    int[] count = new int[1];
    // Before its files, so that those that come meanwhile are looked for next time.
    Stamp stamp = host.readingFiles("braidParity", () -> ParityFiles.stamp(directory));
    Optional<String> next = Optional.of("");
    while (next.isPresent()) {
      String from = next.get();
      next =
          host.readingFiles(
              "braidParity",
              () -> {
                List<INodeFile> page = ParityFiles.files(directory, from, PAGE);
                for (INodeFile file : page) {
                  Parity parity = Parity.of(file);
                  if (table.has(parity)) {
                    count[0]++;
                  } else {
                    fresh.add(parity);
                  }
                }
                return page.size() < PAGE
                    ? Optional.empty()
                    : Optional.of(page.get(PAGE - 1).getLocalName());
              });
    }
    for (List<Parity> page : Pages.of(fresh, PAGE)) {
      count[0] += read(page);
    }
    stamps.put(name, stamp);
    return new Found(directory, count[0]);
  }

  /** Returns how many of these files are in the table now. */
  private int read(List<Parity> page) throws IOException {
    List<Entry> entries = new ArrayList<>();
    int kept = 0;
    for (Parity parity : page) {
      Optional<Entry> entry = files.entry(parity);
      if (entry.isPresent()) {
        stripes.found(parity, entry.get());
        entries.add(entry.get());
      } else if (files.hidesStripe(parity.file().getId())) {
        stripes.hidden();
        kept += table.knows(parity.file().getId()) ? 1 : 0;
      } else {
        table.remove(parity.file().getId()); // it describes none any more
      }
    }
    stripes.found(entries);
    return kept + entries.size();
  }
}
