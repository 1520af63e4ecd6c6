package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.braid.hdfs.namenode.host.Shares;
import org.junit.jupiter.api.Test;

final class SharesTest {
  private final Shares shares = new Shares(5, 2);

  @Test
  void oneUserLeavesRoomForOthers() {
    assertTrue(shares.take("eve"));
    assertTrue(shares.take("eve"));
    assertFalse(shares.take("eve"));
    assertTrue(shares.take("bob"));
    shares.giveBack("eve");
    assertTrue(shares.take("eve"));
    assertFalse(shares.take("eve"));
  }

  @Test
  void allTogetherAreBounded() {
    for (int i = 0; i < 5; i++) {
      assertTrue(shares.take("user" + i));
    }
    assertFalse(shares.take("another"));
    shares.giveBack("user3");
    assertTrue(shares.take("another"));
    assertFalse(shares.take("user3"));
  }
}
