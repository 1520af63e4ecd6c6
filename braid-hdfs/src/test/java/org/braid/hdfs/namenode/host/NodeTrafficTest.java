package org.braid.hdfs.namenode.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Set;
import org.braid.hdfs.metrics.Cause;
import org.braid.hdfs.metrics.LinkClass;
import org.braid.hdfs.namenode.host.NodeTraffic.Snapshot;
import org.braid.hdfs.proto.BraidProtos.SentProto;
import org.braid.hdfs.proto.BraidProtos.TrafficProto;
import org.junit.jupiter.api.Test;

final class NodeTrafficTest {
  private static final long MIB = 1 << 20;

  private long now = 1_000_000;
  private final NodeTraffic traffic = new NodeTraffic(() -> now);

  private static TrafficProto told(long run, long repaired, long read) {
    return TrafficProto.newBuilder()
        .setRun(run)
        .addSent(sent("repair", "cross_rack", repaired))
        .setClientRead(read)
        .setClientWritten(read / 2)
        .build();
  }

  private static SentProto sent(String cause, String link, long bytes) {
    return SentProto.newBuilder().setCause(cause).setLink(link).setBytes(bytes).build();
  }

  @Test
  void whatWasMovedBeforeTheNameNodeStartedDoesNotCount() {
    traffic.heard("a", told(1, 500 * MIB, 70 * MIB));
    now += 5000;
    traffic.heard("a", told(1, 505 * MIB, 90 * MIB));
    Snapshot seen = traffic.snapshot();
    assertEquals(
        Map.of(Cause.REPAIR, Map.of(LinkClass.CROSS_RACK, 5 * MIB)), seen.nodes().get("a").sent());
    assertEquals(20 * MIB, seen.nodes().get("a").clientRead());
    assertEquals(10 * MIB, seen.all().clientWritten());
    assertEquals(5, seen.seconds());
  }

  @Test
  void aNodeThatIsStartedAnewCountsOn() {
    traffic.heard("a", told(1, 100, 0));
    now += 5000;
    traffic.heard("a", told(1, 150, 0));
    now += 5000;
    traffic.heard("a", told(2, 160, 0));
    assertEquals(210, traffic.snapshot().nodes().get("a").sentBytes(Cause.REPAIR));
  }

  @Test
  void ratesAreThoseOfTheLastMinute() {
    long repaired = 0;
    for (int second = 0; second <= 300; second += 5) {
      // 1 MiB/s for four minutes, 3 MiB/s in the last one.
      repaired += second > 240 ? 15 * MIB : 5 * MIB;
      traffic.heard("a", told(1, repaired, second * MIB));
      traffic.heard("b", told(1, 0, 0));
      now += 5000;
    }
    Snapshot seen = traffic.snapshot();
    assertEquals(3 * MIB, seen.nodes().get("a").perSecond().sent(), 0.4 * MIB);
    assertEquals(1 * MIB, seen.nodes().get("a").perSecond().clientRead(), 0.2 * MIB);
    assertEquals(0, seen.nodes().get("b").perSecond().sent());
    assertEquals(3 * MIB, seen.causes().get(Cause.REPAIR), 0.4 * MIB);
    assertEquals(seen.causes().get(Cause.REPAIR), seen.all().perSecond().sent());
    now += 120_000;
    assertEquals(0, traffic.snapshot().all().perSecond().sent(), "a minute after the last byte");
  }

  /** Nobody has authenticated a heartbeat. */
  @Test
  void whatNoNodeCanHaveMovedIsNotBelieved() {
    traffic.heard("a", told(1, 100, 0));
    now += 5000;
    traffic.heard("a", told(1, Long.MAX_VALUE, 0));
    traffic.heard("a", told(1, -5, 0));
    traffic.heard("a", told(1, 1L << 59, 0));
    traffic.heard("a", told(7, 1L << 59, 0));
    traffic.heard(
        "a",
        TrafficProto.newBuilder()
            .setRun(1)
            .addSent(sent("<script>", "cross_rack", 5))
            .addSent(sent("repair", "??", 5))
            .addSent(sent("repair", "cross_rack", 150))
            .build());
    Snapshot seen = traffic.snapshot();
    assertEquals(
        Map.of(Cause.REPAIR, Map.of(LinkClass.CROSS_RACK, 50L)), seen.nodes().get("a").sent());
    assertEquals(50, seen.all().sentBytes());
  }

  @Test
  void sumsStayPositiveWhateverIsTold() {
    traffic.heard("a", told(0, 0, 0));
    long most = 10 * NodeTraffic.MOST_PER_SECOND;
    for (int run = 1; run < 20_000; run++) {
      now += 5_000_000_000L;
      traffic.heard("a", told(run, Math.min(1L << 60, most * 500_000), 0));
    }
    assertEquals(1L << 60, traffic.snapshot().all().sentBytes());
  }

  @Test
  void nodesThatAreGoneStayInTheSumAlone() {
    traffic.heard("a", told(1, 0, 0));
    traffic.heard("b", told(1, 0, 0));
    traffic.heard("a", told(1, 10, 0));
    traffic.heard("b", told(1, 20, 0));
    traffic.keep(Set.of("b"));
    Snapshot seen = traffic.snapshot();
    assertEquals(Set.of("b"), seen.nodes().keySet());
    assertEquals(30, seen.all().sentBytes());
    assertTrue(seen.nodes().get("b").sentBytes() == 20, seen.toString());
  }
}
