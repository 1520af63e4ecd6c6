package org.braid.hdfs.coordinator.scrub;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.rpc.ScrubRecord;
import org.braid.hdfs.rpc.ScrubRecord.Round;
import org.junit.jupiter.api.Test;

final class ScrubStoreTest {
  private static final Round ROUND = Round.from(1, 0).at("", 3, 30, 2).ended(5);

  private final Files files = new Files();
  private final ScrubStore store =
      new ScrubStore(files, InstantSource.fixed(Instant.ofEpochMilli(10)));

  /** The attributes of Braid's directory, which may be missing or refuse changes. */
  private static final class Files extends DistributedFileSystem {
    private final Map<String, byte[]> attributes = new HashMap<>();
    private boolean missing;
    private boolean safeMode;

    @Override
    public Map<String, byte[]> getXAttrs(Path path) throws IOException {
      checkThere(path);
      return attributes;
    }

    @Override
    public void setXAttr(Path path, String name, byte[] value, EnumSet<XAttrSetFlag> flag)
        throws IOException {
      checkThere(path);
      if (safeMode) {
        throw new IOException("Name node is in safe mode");
      }
      attributes.put(name, value);
    }

    private void checkThere(Path path) throws FileNotFoundException {
      if (missing) {
        throw new FileNotFoundException("File does not exist: " + path);
      }
    }
  }

  @Test
  void aRoundIsRecorded() throws Exception {
    store.end(ROUND);
    assertEquals(Optional.of(ROUND), store.load().last());
    assertEquals(1, files.attributes.size());
    assertEquals(
        Optional.of(ROUND),
        ScrubRecord.parse(files.attributes.getOrDefault(BraidPaths.SCRUB_XATTR, new byte[0]))
            .last());
  }

  /** Else hours of reading would end with an error in place of what they have found. */
  @Test
  void whatCannotBeRecordedLosesNoFindings() throws Exception {
    files.safeMode = true;
    assertDoesNotThrow(() -> store.end(ROUND));
    assertEquals(Optional.empty(), store.load().last());
    assertThrows(IOException.class, () -> store.save(ScrubRecord.NONE.withLast(ROUND)));
  }

  @Test
  void aClusterOnWhichNothingWasConvertedIsScrubbed() throws Exception {
    files.missing = true;
    assertDoesNotThrow(() -> store.end(ROUND));
    assertEquals(ScrubRecord.NONE, store.load());
  }
}
