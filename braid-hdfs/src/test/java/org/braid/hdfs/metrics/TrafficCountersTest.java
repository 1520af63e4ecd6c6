package org.braid.hdfs.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class TrafficCountersTest {
  @ParameterizedTest
  @CsvSource({
    "/r1, /r1, IN_RACK",
    "/r1, /r2, CROSS_RACK",
    "/s1/r1, /s1/r1, IN_RACK",
    "/s1/r1, /s1/r2, CROSS_RACK",
    "/s1/r1, /s2/r1, CROSS_SITE",
    "/s1/r1, /r1, CROSS_SITE",
    "'', /r1, UNKNOWN",
    "/r1, '', UNKNOWN"
  })
  void eachByteIsOfTheClassOfItsLink(String from, String to, LinkClass link) {
    assertEquals(link, LinkClass.between(from, to));
  }

  @ParameterizedTest
  @EnumSource(Cause.class)
  void causesAreFoundByTheirNames(Cause cause) {
    assertEquals(Optional.of(cause), Cause.named(cause.word()));
  }

  @Test
  void whatIsNotKnownIsNoCauseAndNoLink() {
    assertEquals(Optional.empty(), Cause.named("REPAIR"));
    assertEquals(Optional.empty(), LinkClass.named(""));
    assertEquals(Optional.of(LinkClass.CROSS_SITE), LinkClass.named("cross_site"));
  }

  @Test
  void bytesAreCountedByCauseAndLink() {
    TrafficCounters traffic =
        new TrafficCounters(EnumSet.of(Cause.REPAIR), EnumSet.of(Cause.REPAIR, Cause.SCRUB));
    DaemonMetrics metrics = new DaemonMetrics();
    traffic.addTo(metrics);
    traffic.sent(Cause.REPAIR, LinkClass.IN_RACK, 5);
    traffic.sent(Cause.REPAIR, LinkClass.IN_RACK, 6);
    traffic.sent(Cause.REPAIR, LinkClass.CROSS_SITE, 7);
    traffic.sent(Cause.SCRUB, LinkClass.IN_RACK, 100); // it sends nothing
    traffic.onDisk(Cause.SCRUB, 8);
    traffic.onDisk(Cause.CONVERT, 100);
    Map<String, Long> figures = Figures.of(metrics);
    assertEquals(11, figures.get("BraidMoved.Bytes{Cause=repair,Link=in_rack}"));
    assertEquals(0, figures.get("BraidMoved.Bytes{Cause=repair,Link=cross_rack}"));
    assertEquals(7, figures.get("BraidMoved.Bytes{Cause=repair,Link=cross_site}"));
    assertEquals(0, figures.get("BraidMoved.Bytes{Cause=repair,Link=unknown}"));
    assertEquals(8, figures.get("BraidDisk.Bytes{Cause=scrub}"));
    assertEquals(0, figures.get("BraidDisk.Bytes{Cause=repair}"));
    assertEquals(6, figures.keySet().stream().filter(name -> name.contains("Cause")).count());
  }
}
