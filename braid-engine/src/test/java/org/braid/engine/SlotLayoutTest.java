package org.braid.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.braid.code.SubBlock;
import org.braid.plan.Fragment;
import org.braid.plan.Operation;
import org.braid.testing.ColdStart;
import org.junit.jupiter.api.Test;

final class SlotLayoutTest {
  private static final SubBlock BLOCK = new SubBlock(0, 0);

  /** A program that lays out what the reader of a lost block runs. */
  static final class Reader {
    private Reader() {}

    public static void main(String[] args) {
      SlotLayout.of(
          new Fragment(1, List.of(new Operation.Receive(0, 2), new Operation.Store(0, BLOCK))));
    }
  }

  @Test
  void aFragmentThatIsRightIsNotPutIntoWords() throws IOException, InterruptedException {
    Set<String> loaded = ColdStart.classes(Reader.class);
    assertTrue(loaded.contains(SlotLayout.class.getName()), "it was laid out");
    assertFalse(loaded.contains("java.lang.runtime.ObjectMethods"), "records became texts");
  }

  @Test
  void aFragmentThatIsWrongNamesTheOperation() {
    Fragment twice =
        new Fragment(4, List.of(new Operation.Receive(0, 2), new Operation.Receive(0, 3)));
    assertEquals(
        "fragment of node 4, operation 1 Receive[value=0, from=3]: value 0 is made twice",
        assertThrows(IllegalArgumentException.class, () -> SlotLayout.of(twice)).getMessage());
  }
}
