package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.braid.hdfs.namenode.lease.LeaseScope;
import org.braid.hdfs.namenode.lease.Leases;
import org.junit.jupiter.api.Test;

/** How daemons and commands take turns for hours. */
final class LeaseTurnsTest {
  private final AtomicLong now = new AtomicLong(1000);
  private final Leases leases = new Leases(now::get, () -> 7);

  private Leases.Answer ask(String holder, String path) {
    return leases.acquire(holder, false, 0, LeaseScope.of(List.of(path)));
  }

  private String acquire(String holder, String path) {
    return Objects.requireNonNull(ask(holder, path).lease());
  }

  private Leases.Answer standBy(String holder) {
    return leases.acquire(holder, true, 0, LeaseScope.ALL);
  }

  /** Somebody stands by for an hour, in which leases are renewed. */
  private void standsBy(String holder, String... held) {
    for (int seconds = 0; seconds < 3600; seconds++) {
      assertNull(standBy(holder).lease());
      now.addAndGet(1000);
      for (String lease : held) {
        assertTrue(leases.renew(lease, Optional.empty()));
      }
    }
    assertNull(standBy(holder).lease());
  }

  /** With two daemons one of them always stands by, while the other one has its turns. */
  @Test
  void aDaemonThatStandsByForHoursKeepsNoCommandFromWorkingBesideOthers() {
    String daemon = Objects.requireNonNull(standBy("daemon a").lease());
    standsBy("daemon b", daemon);
    assertNull(ask("convert", "/a").lease());
    leases.release(daemon, true);
    String convert = acquire("convert", "/a");
    leases.release(acquire("restore", "/b"), false);
    assertNull(standBy("daemon b").lease());
    assertNotNull(ask("repair", "/c").lease(), "a daemon worked a moment ago");
    assertTrue(leases.renew(convert, Optional.empty()));
  }

  /** Also while no command has ended since it gave way. */
  @Test
  void afterAnHourNoCommandPassesTheDaemonThatGaveWay() {
    String daemon = Objects.requireNonNull(standBy("daemon a").lease());
    assertNull(ask("convert", "/a").lease());
    leases.release(daemon, true);
    String convert = acquire("convert", "/a");
    standsBy("daemon a", convert, acquire("restore", "/b"));
    assertEquals("daemon a", ask("repair", "/c").holder());
  }
}
