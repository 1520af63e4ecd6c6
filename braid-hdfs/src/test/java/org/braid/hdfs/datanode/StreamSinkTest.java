package org.braid.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Receivers that come for a stream. */
final class StreamSinkTest {
  private final StreamSink sink = new StreamSink("here:9866", 3, 1, 100, 1000);

  private @Nullable String attach() throws IOException {
    try (Socket receiver = new Socket()) {
      return sink.attach(receiver, new ByteArrayOutputStream());
    }
  }

  /** It was found a moment before its run ended. */
  @Test
  void whoComesAsTheRunFailsHearsWhy() throws Exception {
    sink.end("here:9866: disk full");
    assertEquals("here:9866: disk full", attach());
  }

  @Test
  void whoComesAsTheSenderHasEndedHearsSo() throws Exception {
    sink.end("");
    String reason = String.valueOf(attach());
    assertTrue(reason.endsWith(": its sender has ended"), reason);
  }

  @Test
  void aSecondReceiverHearsOfTheFirst() throws Exception {
    assertNull(attach());
    assertEquals("another receiver took it", attach());
  }
}
