package org.braid.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.braid.hdfs.metrics.Cause;
import org.braid.hdfs.metrics.LinkClass;
import org.braid.hdfs.proto.BraidProtos.HeartbeatProto;
import org.braid.hdfs.proto.BraidProtos.SentProto;
import org.braid.hdfs.proto.BraidProtos.TrafficProto;
import org.braid.hdfs.rpc.Heartbeats;
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
  private TrafficProto.Builder traffic = TrafficProto.newBuilder();
  private final List<TrafficProto> moved = new ArrayList<>();
  private int largest;
  private final HeartbeatSender sender =
      new HeartbeatSender(
          () -> uuid,
          this::names,
          () -> traffic.clone(),
          new HeartbeatSender.Wire() {
            @Override
            public void send(byte[] beat, InetSocketAddress target) throws IOException {
              if (target.isUnresolved()) {
                throw new IllegalArgumentException("unresolved address"); // as of a datagram
              }
              if (refused && target.equals(FIRST)) {
                throw new IOException("port unreachable");
              }
              HeartbeatProto told = HeartbeatProto.parseFrom(beat);
              if (told.hasTraffic()) {
                told(told, beat.length);
              } else {
                sent.add(told.getUuid() + ":" + target.getPort());
                closeAfter();
              }
            }

            @Override
            public void close() {
              sent.add("closed");
            }
          },
          new FakeTicker());

  /** How often names cannot be had, and after how many beats the sender is closed, if it is. */
  private int errors;

  private int last;

  private List<InetSocketAddress> names() {
    if (errors-- > 0) {
      throw new OutOfMemoryError("in a test");
    }
    return names;
  }

  private void closeAfter() {
    if (sent.size() == last) {
      sender.close();
    }
  }

  private void told(HeartbeatProto beat, int length) {
    assertEquals(uuid, beat.getUuid());
    moved.add(beat.getTraffic());
    largest = Math.max(largest, length);
  }

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

  /** Name servers of a whole cluster may not answer at the moment at which they are asked. */
  @Test
  void aNameNodeWhoseNameIsNotFoundHearsWhereItWasFoundLast() throws Exception {
    InetAddress host = InetAddress.getByAddress("nn", new byte[] {127, 0, 0, 1});
    names = List.of(new InetSocketAddress(host, 1), SECOND);
    sender.beat();
    names =
        List.of(
            InetSocketAddress.createUnresolved("nn", 1),
            InetSocketAddress.createUnresolved("never.found", 3),
            SECOND);
    for (int beats = 1; beats < 121; beats++) {
      sender.beat();
    }
    sent.clear();
    sender.beat();
    assertEquals(List.of("node:1", "node:2"), sent);
  }

  /** Configurations name routers and other clusters, too, and which name services are their own. */
  @Test
  void onlyNameNodesThatTheDataNodeReportsToHearOfIt() {
    Configuration conf = new Configuration(false);
    conf.set("dfs.nameservices", "ns0,ns1,routers");
    conf.set("dfs.namenode.rpc-address.ns0", "127.0.0.1:8020");
    conf.set("dfs.namenode.rpc-address.ns1", "127.0.0.1:8021");
    conf.set("dfs.namenode.rpc-address.routers", "127.0.0.1:8022");
    assertEquals(List.of(8020, 8021, 8022), ports(conf));
    conf.set("dfs.internal.nameservices", "ns0, ns1");
    assertEquals(List.of(8020, 8021), ports(conf));
    conf.set("dfs.internal.nameservices", " ");
    assertEquals(List.of(8020, 8021, 8022), ports(conf));
  }

  private static List<Integer> ports(Configuration conf) {
    return HeartbeatSender.targets(conf).stream().map(InetSocketAddress::getPort).sorted().toList();
  }

  /** A node that sends none is not watched: its failure would be noticed late. */
  @Test
  void aBeatThatFailsIsNotTheLast() {
    names = List.of(FIRST);
    errors = 2;
    last = 3;
    sender.run();
    assertEquals(List.of("node:1", "node:1", "node:1", "closed"), sent);
  }

  @Test
  void closingClosesTheWire() {
    sender.close();
    assertEquals(List.of("closed"), sent);
  }

  @Test
  void whatWasMovedIsToldEveryFiveSecondsBesideTheHeartbeat() {
    names = List.of(FIRST);
    for (int beat = 0; beat < 21; beat++) {
      traffic.setClientRead(beat);
      sender.beat();
    }
    assertEquals(21, sent.size());
    assertEquals(List.of(0L, 10L, 20L), moved.stream().map(TrafficProto::getClientRead).toList());
    assertEquals(1, moved.stream().map(TrafficProto::getRun).distinct().count());
  }

  /** A worker that has sent for all causes over all links. */
  @Test
  void theLargestDatagramFits() {
    uuid = "ffffffff-ffff-ffff-ffff-ffffffffffff";
    for (Cause cause :
        List.of(
            Cause.CONVERT,
            Cause.RELOCATE,
            Cause.REENCODE,
            Cause.REPAIR,
            Cause.WAITING_READERS,
            Cause.DEGRADED_READ)) {
      for (LinkClass link : LinkClass.values()) {
        traffic.addSent(
            SentProto.newBuilder().setCause(cause.word()).setLink(link.word()).setBytes(1L << 50));
      }
    }
    traffic.setClientRead(1L << 50).setClientWritten(1L << 50);
    sender.beat();
    assertEquals(2, moved.size());
    assertEquals(26, moved.get(0).getSentCount() + 2);
    assertTrue(largest > 512 && largest <= Heartbeats.LARGEST, largest + " bytes");
  }
}
