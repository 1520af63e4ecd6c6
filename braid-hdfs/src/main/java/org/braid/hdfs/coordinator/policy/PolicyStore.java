package org.braid.hdfs.coordinator.policy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.braid.hdfs.api.Policies;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.dispatch.Ids;
import org.braid.hdfs.policy.PolicyDocument;
import org.braid.hdfs.policy.PolicyJson;
import org.braid.hdfs.rpc.BraidPaths;

/**
 * The policies in HDFS: each change is a file of its own, which is written elsewhere and renamed to
 * its number. The greatest number holds; of two changes at once the rename refuses one.
 */
public final class PolicyStore {
  private static final Path DIRECTORY = new Path(BraidPaths.POLICIES);
  private static final String DRAFT = ".draft-";
  private static final long DRAFT_MILLIS = 3_600_000;

  private final DistributedFileSystem files;
  private final InstantSource clock;

  public PolicyStore(DistributedFileSystem files, InstantSource clock) {
    this.files = files;
    this.clock = clock;
  }

  /** What was imported of reads. */
  public ReadStore reads() {
    return new ReadStore(files);
  }

  /**
   * The name of the file that holds; it changes with each change. Empty when there never was any.
   */
  public Optional<String> currentFile() throws IOException {
    return changes().stream().findFirst();
  }

  /** What holds; see {@link Policies#current}. */
  public PolicyDocument current() throws IOException {
    Optional<String> file = currentFile();
    return file.isEmpty() ? PolicyDocument.NONE : read(file.get());
  }

  /** Names of the files of changes, the newest first. */
  private List<String> changes() throws IOException {
    List<String> names = new ArrayList<>();
    for (FileStatus status : listed()) {
      String name = status.getPath().getName();
      if (name.matches("[0-9]{8}\\.json")) {
        names.add(name);
      }
    }
    names.sort(Comparator.reverseOrder());
    return names;
  }

  private FileStatus[] listed() throws IOException {
    try {
      return files.listStatus(DIRECTORY);
    } catch (FileNotFoundException e) {
      return new FileStatus[0];
    }
  }

  private PolicyDocument read(String name) throws IOException {
    String text = text(name);
    try {
      return parsed(name, text);
    } catch (IllegalArgumentException e) {
      throw new RefusedException(
          "the policies cannot be used, and no policy is carried out: %s/%s: %s"
              .formatted(BraidPaths.POLICIES, name, e.getMessage()),
          e);
    }
  }

  private String text(String name) throws IOException {
    try (FSDataInputStream in = files.open(new Path(DIRECTORY, name))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static PolicyDocument parsed(String name, String text) {
    PolicyDocument document = PolicyJson.read(text);
    if (!name.equals(name(document.revision()))) {
      throw new IllegalArgumentException("it holds change " + document.revision());
    }
    return document;
  }

  /** Of ASCII digits, also where the language of this machine has others. */
  static String name(long revision) {
    return String.format(Locale.ROOT, "%08d.json", revision);
  }

  /** All changes, the newest first. */
  public List<Policies.Change> history() throws IOException {
    List<Policies.Change> history = new ArrayList<>();
    for (String name : changes()) {
      history.add(entry(name, () -> text(name)));
    }
    return history;
  }

  /** Reads the file of a change. */
  interface Text {
    String read() throws IOException;
  }

  /** A change as the history shows it: a file that cannot be read is named and hides no other. */
  static Policies.Change entry(String name, Text text) throws IOException {
    try {
      return new Policies.Change(name, Optional.of(parsed(name, text.read())), "");
    } catch (IllegalArgumentException
        | FileNotFoundException
        | BlockMissingException
        | ChecksumException e) {
      return new Policies.Change(name, Optional.empty(), String.valueOf(e.getMessage()));
    }
  }

  /** Changes them; see {@link Policies#change}. */
  public PolicyDocument change(String what, UnaryOperator<PolicyDocument> change)
      throws IOException {
    PolicyDocument before = current();
    PolicyDocument after;
    try {
      after =
          change
              .apply(before)
              .asChange(
                  UserGroupInformation.getCurrentUser().getShortUserName(),
                  clock.instant().truncatedTo(ChronoUnit.SECONDS),
                  what);
    } catch (IllegalArgumentException e) {
      throw new RefusedException(String.valueOf(e.getMessage()), e);
    }
    makeDirectory(files);
    sweepDrafts();
    Path draft = new Path(DIRECTORY, DRAFT + Ids.random());
    // Where HDFS's own erasure coding holds for the root, few nodes would take no file of it.
    try (FSDataOutputStream out = files.createFile(draft).replicate().build()) {
      out.write(PolicyJson.write(after).getBytes(StandardCharsets.UTF_8));
      out.hsync();
    }
    try {
      files.rename(draft, new Path(DIRECTORY, name(after.revision())), Options.Rename.NONE);
    } catch (FileAlreadyExistsException e) {
      files.delete(draft, false);
      throw new RefusedException(
          "the policies were changed meanwhile: see braid policy history, and try again", e);
    }
    return after;
  }

  /** Makes the directory of the policies, where there is none. */
  static void makeDirectory(DistributedFileSystem files) throws IOException {
    files.mkdirs(DIRECTORY, BraidPaths.RIGHTS);
  }

  /** Deletes what changes left behind that were broken off. */
  private void sweepDrafts() throws IOException {
    Instant old = clock.instant().minusMillis(DRAFT_MILLIS);
    for (FileStatus status : listed()) {
      if (status.getPath().getName().startsWith(DRAFT)
          && status.getModificationTime() < old.toEpochMilli()) {
        files.delete(status.getPath(), false);
      }
    }
  }
}
