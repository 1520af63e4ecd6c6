package org.braid.code.rep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.braid.code.ErasureCodeContract;
import org.braid.code.Matrix;
import org.junit.jupiter.api.Test;

final class ReplicationTest extends ErasureCodeContract {
  @Override
  protected List<Member> members() {
    return List.of(
        new Member("rep-2", 1),
        new Member("rep-3", 2),
        new Member("rep-10", 9),
        new Member("rep-255", 254));
  }

  @Test
  void everyBlockIsACopy() {
    assertEquals(Matrix.of(3, 1, 1, 1, 1), new Replication(new RepSettings(3)).generator());
  }

  @Test
  void otherParametersAreRefusedWithTheirNumbers() {
    refused("R = 0, replication needs at least 2 copies to survive a loss", 0);
    refused("R = 1, replication needs at least 2 copies to survive a loss", 1);
    refused("R = 256, a stripe takes at most 255 blocks", 256);
  }

  private static void refused(String message, int copies) {
    assertEquals(
        message,
        assertThrows(IllegalArgumentException.class, () -> new RepSettings(copies)).getMessage());
  }

  @Test
  void equalSettingsAreEqualCodes() {
    Replication code = new Replication(new RepSettings(3));
    assertEquals(code, new Replication(new RepSettings(3)));
    assertEquals(code.hashCode(), new Replication(new RepSettings(3)).hashCode());
    assertNotEquals(code, new Replication(new RepSettings(2)));
  }
}
