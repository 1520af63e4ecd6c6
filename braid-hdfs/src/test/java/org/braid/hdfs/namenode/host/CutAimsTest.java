package org.braid.hdfs.namenode.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class CutAimsTest {
  private static final short ONE = 1;
  private static final short TWO = 2;
  private static final short THREE = 3;

  private final CutAims aims = new CutAims();

  /** Else HDFS would count, and copy, what the first one to end had aim at one replica again. */
  @Test
  void theLastOfSeveralCutsHasABlockAimAsBefore() {
    aims.begin(7, ONE, THREE);
    aims.begin(7, THREE, THREE);
    assertEquals(THREE, aims.end(7, THREE));
    assertTrue(aims.contains(7));
    assertEquals(ONE, aims.end(7, THREE));
    assertFalse(aims.contains(7));
  }

  @Test
  void whatOthersSetMeanwhileStays() {
    aims.begin(7, ONE, THREE);
    assertEquals(TWO, aims.end(7, TWO));
    aims.begin(7, ONE, THREE);
    aims.begin(7, TWO, THREE);
    assertEquals(THREE, aims.end(7, THREE));
    assertEquals(TWO, aims.end(7, THREE));
    assertEquals(ONE, aims.end(8, ONE));
  }

  /** Else a replication that a user asked for would be undone without a word. */
  @Test
  void whatIsSetToTheNumberOfTheCutStays() {
    aims.begin(7, ONE, THREE);
    assertEquals(ONE, aims.apart(7, THREE));
    aims.set(7, THREE);
    assertEquals(THREE, aims.apart(7, THREE));
    assertEquals(THREE, aims.end(7, THREE));
    aims.begin(7, ONE, THREE);
    aims.set(7, TWO);
    assertEquals(TWO, aims.end(7, THREE));
    aims.set(7, THREE);
    assertEquals(ONE, aims.apart(7, ONE));
    assertFalse(aims.contains(7));
  }
}
