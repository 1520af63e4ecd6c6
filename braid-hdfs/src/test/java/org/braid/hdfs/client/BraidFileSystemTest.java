package org.braid.hdfs.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.FileNotFoundException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.PartialListing;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.impl.OpenFileParameters;
import org.apache.hadoop.ipc.RemoteException;
import org.junit.jupiter.api.Test;

/** What the file system does to HDFS's answers. */
final class BraidFileSystemTest {
  private final List<LocatedFileStatus> filled = new ArrayList<>();

  /** What programs do where a file is missing depends on what their own stages are given. */
  @Test
  void openingFailsWithHdfsOwnException() {
    FileNotFoundException missing = new FileNotFoundException("/gone");
    List<Throwable> seen = new ArrayList<>();
    var unused =
        BraidFileSystem.hinted(
                CompletableFuture.failedFuture(missing),
                new OpenFileParameters().withOptions(new Configuration(false)))
            .whenComplete((in, failure) -> seen.add(Objects.requireNonNull(failure)));
    assertEquals(List.of(missing), seen);
  }

  /** One of several paths that is gone must not end the listing of the others. */
  @Test
  void pathThatCannotBeListedFailsForWhoAsksForItsEntries() {
    PartialListing<LocatedFileStatus> gone =
        new PartialListing<>(
            new Path("/gone"),
            new RemoteException(FileNotFoundException.class.getName(), "/gone does not exist"));
    assertSame(gone, BraidFileSystem.filled(gone, filled::add));
    assertThrows(FileNotFoundException.class, gone::get);
    assertEquals(List.of(), filled);
  }

  @Test
  void entriesOfPathAreFilledIn() {
    LocatedFileStatus entry = new LocatedFileStatus();
    PartialListing<LocatedFileStatus> listing =
        new PartialListing<>(new Path("/dir"), List.of(entry));
    assertSame(listing, BraidFileSystem.filled(listing, filled::add));
    assertEquals(1, filled.size());
    assertSame(entry, filled.get(0));
  }
}
