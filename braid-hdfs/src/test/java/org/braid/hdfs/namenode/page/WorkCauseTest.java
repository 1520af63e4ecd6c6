package org.braid.hdfs.namenode.page;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class WorkCauseTest {
  @Test
  void commandsAreTheirOwnCause() {
    assertEquals(
        "somebody runs braid convert", WorkCause.of("convert at host:5:abc", "converting"));
    assertEquals("somebody runs braid repair", WorkCause.of("repair at host:5:abc", "repairing"));
    assertEquals("somebody runs braid x", WorkCause.of("x", ""));
  }

  @Test
  void aDaemonHasItsReasons() {
    String daemon = "daemon at host:5:abc";
    assertEquals("blocks are lost or in wrong places", WorkCause.of(daemon, "repairing"));
    assertEquals("a policy asks for it", WorkCause.of(daemon, "converting"));
    assertEquals("a policy asks for it", WorkCause.of(daemon, "replicating"));
    assertEquals("nothing is to be done now", WorkCause.of(daemon, "watching"));
    assertEquals("", WorkCause.of(daemon, "of a later release"));
  }
}
