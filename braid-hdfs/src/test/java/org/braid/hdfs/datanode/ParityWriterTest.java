package org.braid.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.OutputStream;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of parity that is not wanted any more. */
final class ParityWriterTest {
  private final List<String> done = new ArrayList<>();

  private final OutputStream out =
      new OutputStream() {
        @Override
        public void write(int b) {}

        @Override
        public void close() throws IOException {
          done.add("close");
          throw new IOException("the file is gone");
        }
      };

  @Test
  void itIsDeletedBeforeItIsClosed() throws IOException {
    ParityWriter.discard(() -> done.add("delete"), out);
    assertEquals(List.of("delete", "close"), done);
  }

  /** Else each failure while the NameNode restarts leaves a writer open in the DataNode. */
  @Test
  void itIsClosedAlsoWhenItCannotBeDeleted() {
    ConnectException down = new ConnectException("down");
    ParityWriter.Deletion deletion =
        () -> {
          throw down;
        };
    assertSame(
        down, assertThrows(ConnectException.class, () -> ParityWriter.discard(deletion, out)));
    assertEquals(List.of("close"), done);
  }
}
