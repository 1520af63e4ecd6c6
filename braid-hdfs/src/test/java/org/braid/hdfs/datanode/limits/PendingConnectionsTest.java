package org.braid.hdfs.datanode.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class PendingConnectionsTest {
  private final PendingConnections<String> pending = new PendingConnections<>(10, 6);

  private Optional<String> add(String connection) {
    return pending.add(connection.substring(0, 1), connection);
  }

  @Test
  void anAddressWithTooManyLosesItsOldest() {
    for (int i = 0; i < 6; i++) {
      assertTrue(add("a" + i).isEmpty());
    }
    assertEquals(Optional.of("a0"), add("a6"));
    pending.remove("a", "a1");
    assertTrue(add("a7").isEmpty());
    assertEquals(Optional.of("a2"), add("a8"));
  }

  @Test
  void whoHasMostGivesWayToOthers() {
    for (int i = 0; i < 6; i++) {
      add("a" + i);
    }
    for (int i = 0; i < 3; i++) {
      assertTrue(add("b" + i).isEmpty());
    }
    assertTrue(add("c0").isEmpty());
    assertEquals(Optional.of("a0"), add("c1"));
    assertEquals(Optional.of("a1"), add("d0"));
    assertEquals(
        List.of("a2", "a3", "a4", "a5", "b0", "b1", "b2", "c0", "c1", "d0"), pending.all());
  }

  @Test
  void whoIsGoneTakesNoRoom() {
    for (int i = 0; i < 1000; i++) {
      assertTrue(add("a" + i).isEmpty());
      pending.remove("a", "a" + i);
      pending.remove("a", "a" + i);
    }
    assertEquals(List.of(), pending.all());
  }
}
