package org.braid.engine.block;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.braid.engine.block.CellLayout.Part;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

final class CellLayoutTest {
  private static final Random RANDOM = Seeds.random(CellLayoutTest.class);

  @Test
  void cellsOfARoundStandSideBySideAndTheLastRoundIsShorter() {
    CellLayout layout = new CellLayout(3, 10, 24);
    assertEquals(72, layout.blockLength());
    assertEquals(0, layout.inBlock(0, 0));
    assertEquals(19, layout.inBlock(1, 9));
    assertEquals(20, layout.inBlock(2, 0));
    assertEquals(30, layout.inBlock(0, 10));
    assertEquals(60, layout.inBlock(0, 20));
    assertEquals(64, layout.inBlock(1, 20));
    assertEquals(71, layout.inBlock(2, 23));
    assertEquals(7, layout.run(13));
    assertEquals(1, layout.run(23));
  }

  @Test
  void everyByteOfABlockIsOneOfASubBlock() {
    for (int i = 0; i < 300; i++) {
      CellLayout layout = random();
      boolean[] seen = new boolean[(int) layout.blockLength()];
      for (int s = 0; s < layout.alpha(); s++) {
        for (long offset = 0; offset < layout.unit(); offset += layout.run(offset)) {
          for (long j = 0; j < layout.run(offset); j++) {
            int at = (int) layout.inBlock(s, offset + j);
            assertEquals(layout.inBlock(s, offset) + j, at, layout.toString());
            assertTrue(!seen[at], layout + " has two bytes at " + at);
            seen[at] = true;
          }
        }
      }
    }
  }

  @Test
  void aShorterBlockHasTheFirstBytesOfEachSubBlock() {
    for (int i = 0; i < 300; i++) {
      CellLayout layout = random();
      int content = RANDOM.nextInt((int) layout.blockLength() + 2);
      for (int s = 0; s < layout.alpha(); s++) {
        long held = 0;
        while (held < layout.unit() && layout.inBlock(s, held) < content) {
          held++;
        }
        assertEquals(held, layout.held(s, content), layout + " of " + content);
      }
    }
  }

  @Test
  void partsOfARangeFollowEachOtherAndEndWhereItEnds() {
    for (int i = 0; i < 2000; i++) {
      CellLayout layout = random();
      long from = RANDOM.nextInt((int) layout.blockLength());
      long to = from + 1 + RANDOM.nextInt((int) (layout.blockLength() - from));
      int parts = 0;
      for (long at = from; at < to; parts++) {
        Part part = layout.part(at, to - at);
        assertEquals(at, part.start());
        assertEquals(at, layout.inBlock(part.first(), part.offset()));
        long last =
            layout.inBlock(part.first() + part.count() - 1, part.offset() + part.length() - 1);
        assertEquals(at + part.bytes() - 1, last, layout + " " + part);
        at += part.bytes();
      }
      assertTrue(parts <= 5, () -> layout + " from " + from + " to " + to);
    }
  }

  @Test
  void aWholeBlockIsOnePart() {
    CellLayout layout = CellLayout.of(4, 512, 9000);
    assertEquals(2560, layout.unit());
    assertEquals(new Part(0, 4, 0, 2560, 0), layout.part(0, layout.blockLength()));
    assertEquals(new Part(0, 1, 7, 20, 7), CellLayout.whole(99).part(7, 20));
  }

  @Test
  void paddedBlocksHaveTheLayoutTheyCameFrom() {
    for (int i = 0; i < 300; i++) {
      CellLayout layout = CellLayout.of(1 + RANDOM.nextInt(9), 512, 1 + RANDOM.nextInt(99_999));
      assertEquals(layout, CellLayout.of(layout.alpha(), 512, layout.blockLength()));
    }
  }

  @Test
  void cellsAreWholePagesOrChunksAndSlicesWholeCells() {
    assertEquals(64 << 10, CellLayout.cellFor(4, 256 << 10));
    assertEquals(28 << 10, CellLayout.cellFor(9, 256 << 10));
    assertEquals(512, CellLayout.cellFor(4, 2048));
    assertEquals(512, CellLayout.cellFor(256, 2048));
    CellLayout layout = new CellLayout(4, 512, 9999);
    assertEquals(512, layout.slice(2048));
    assertEquals(1024, layout.slice(5000));
    assertEquals(250, layout.slice(1000));
    assertEquals(777, CellLayout.whole(9999).slice(777));
  }

  @Test
  void longRangesEndWithARound() {
    CellLayout layout = new CellLayout(3, 10, 24);
    assertEquals(29, layout.toWholeRounds(3, 29));
    assertEquals(27, layout.toWholeRounds(3, 30));
    assertEquals(57, layout.toWholeRounds(3, 68));
    assertEquals(69, layout.toWholeRounds(3, 69));
    assertEquals(50, CellLayout.whole(99).toWholeRounds(3, 50));
  }

  @Test
  void nonsenseIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> new CellLayout(0, 512, 1));
    assertThrows(IllegalArgumentException.class, () -> new CellLayout(2, 0, 1));
    assertThrows(IllegalArgumentException.class, () -> new CellLayout(2, 512, Long.MAX_VALUE));
    assertThrows(IllegalArgumentException.class, () -> new CellLayout(2, 5, 10).part(15, 6));
  }

  private static CellLayout random() {
    return new CellLayout(1 + RANDOM.nextInt(5), 1 + RANDOM.nextInt(20), 1 + RANDOM.nextInt(70));
  }
}
