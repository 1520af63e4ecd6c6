package org.braid.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a reader gives back. */
final class LocalReplicaReaderTest {
  private final List<String> closed = new ArrayList<>();

  private AutoCloseable resource(String name, IOException failure) {
    return () -> {
      closed.add(name);
      throw failure;
    };
  }

  /** Else a disk that fails could not be taken out of its DataNode any more. */
  @Test
  void aVolumeIsLetGoAlsoWhenAFileOnItCannotBeClosed() {
    IOException first = new IOException("the disk fails");
    IOException thrown =
        assertThrows(
            IOException.class,
            () ->
                LocalReplicaReader.closeAll(
                    resource("data", first),
                    null,
                    resource("meta", new IOException("so it does")),
                    () -> closed.add("volume")));
    assertSame(first, thrown);
    assertEquals(List.of("data", "meta", "volume"), closed);
  }
}
