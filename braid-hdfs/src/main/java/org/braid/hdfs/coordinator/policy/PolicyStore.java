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
 * Stores the policies in HDFS. Each change is a file, written under another name and renamed to its
 * revision. The highest revision is in force; the rename refuses one of two concurrent changes.
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

  /** The store of imported reads. */
  public ReadStore reads() {
    return new ReadStore(files);
  }

  /** The name of the file of the highest revision; empty before the first change. */
  public Optional<String> currentFile() throws IOException {
    return changes().stream().findFirst();
  }

  /** The policies in force; see {@link Policies#current}. */
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

  /** The file name of a revision, in ASCII digits under any locale. */
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

  /** A change as the history shows it; a file that cannot be read is an entry with its problem. */
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

  /** Deletes the files of interrupted changes. */
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
