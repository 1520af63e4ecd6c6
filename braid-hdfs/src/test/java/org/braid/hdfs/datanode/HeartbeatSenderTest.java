package org.braid.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.braid.hdfs.proto.BraidProtos.HeartbeatProto;
import org.braid.hdfs.time.FakeTicker;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class HeartbeatSenderTest {
  private static final InetSocketAddress FIRST = address(1);
  private static final InetSocketAddress SECOND = address(2);

  private final List<String> sent = new ArrayList<>();
  private List<InetSocketAddress> names = List.of(FIRST, SECOND);
  private @Nullable String uuid = "node";
  private boolean refused;
  private final HeartbeatSender sender =
      new HeartbeatSender(
          () -> uuid,
          () -> names,
          new HeartbeatSender.Wire() {
            @Override
            public void send(byte[] beat, InetSocketAddress target) throws IOException {
              if (refused && target.equals(FIRST)) {
                throw new IOException("port unreachable");
              }
              sent.add(HeartbeatProto.parseFrom(beat).getUuid() + ":" + target.getPort());
            }

            @Override
            public void close() {
              sent.add("closed");
            }
          },
          new FakeTicker());

  private static InetSocketAddress address(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  @Test
  void everyNameNodeHearsEveryBeat() {
    sender.beat();
    sender.beat();
    assertEquals(List.of("node:1", "node:2", "node:1", "node:2"), sent);
  }

  @Test
  void aNodeWithoutAUuidSaysNothing() {
    uuid = null;
    sender.beat();
    assertEquals(List.of(), sent);
    uuid = "later";
    sender.beat();
    assertEquals(List.of("later:1", "later:2"), sent);
  }

  @Test
  void oneThatCannotBeReachedDoesNotKeepTheOthersFromHearing() {
    refused = true;
    sender.beat();
    assertEquals(List.of("node:2"), sent);
  }

  @Test
  void aNameNodeThatMovedIsFoundWithinAMinute() {
    sender.beat();
    names = List.of(address(3));
    int beats = 1;
    while (!sent.contains("node:3")) {
      sender.beat();
      beats++;
    }
    assertEquals(121, beats);
  }

  @Test
  void closingClosesTheWire() {
    sender.close();
    assertEquals(List.of("closed"), sent);
  }
}
