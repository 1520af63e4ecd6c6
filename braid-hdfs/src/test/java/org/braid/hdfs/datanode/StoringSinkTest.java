package org.braid.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** What a destination hears of a value. */
final class StoringSinkTest {
  private static final int CONTENT = 10;
  private static final int LENGTH = 100;

  private final List<String> heard = new ArrayList<>();

  private final StoringSink.Destination destination =
      new StoringSink.Destination() {
        @Override
        public String describe() {
          return "block";
        }

        @Override
        public void put(byte[] bytes, int count) {
          heard.add("put " + count);
        }

        @Override
        public void idle() {
          heard.add("idle");
        }

        @Override
        public void publish() {
          heard.add("publish");
        }

        @Override
        public void discard() {
          heard.add("discard");
        }
      };

  /** Of a short block: a DataNode must not take its writer for dead while zeros come. */
  @Test
  void whoHasAllBytesLongBeforeTheEndHearsThatTheValueGoesOn() throws IOException {
    try (StoringSink sink =
        new StoringSink(destination, "node", CONTENT, LENGTH, OptionalInt.empty())) {
      sink.write(ByteBuffer.allocate(CONTENT));
      heard.clear();
      sink.write(ByteBuffer.allocate(LENGTH - CONTENT - 1));
      assertEquals(List.of("idle"), heard);
      sink.write(ByteBuffer.allocate(1));
      assertEquals(List.of("idle", "idle"), heard);
    }
    assertTrue(heard.contains("discard"), "it was not finished");
  }

  /** Of a value that is held back: what is put fills no packet for longer than a DataNode waits. */
  @Test
  void whoGetsLittleAtATimeHearsThatTheValueGoesOn() throws IOException {
    try (StoringSink sink =
        new StoringSink(destination, "node", CONTENT, LENGTH, OptionalInt.empty())) {
      sink.write(ByteBuffer.allocate(1));
      sink.write(ByteBuffer.allocate(1));
      assertEquals(List.of("put 1", "idle", "put 1", "idle"), heard);
    }
  }
}
