package org.braid.hdfs.namenode.stripes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Which files are HDFS's business alone, by what is known of stripes. */
final class ForeignFilesTest {
  private static final class Known implements ForeignFiles.Stripes {
    private final Set<Long> blocks = new HashSet<>();
    private boolean read = true;
    private long changes;
    private int asked;

    @Override
    public boolean isRead() {
      return read;
    }

    @Override
    public long changes() {
      return changes;
    }

    @Override
    public boolean concerns(long block) {
      asked++;
      return blocks.contains(block);
    }
  }

  private final Known known = new Known();
  private final ForeignFiles files = new ForeignFiles(known);

  private boolean isForeign(Object key) {
    return files.isForeign(key, LongStream.range(0, 100));
  }

  @Test
  void oneBlockInAStripeIsEnough() {
    assertTrue(isForeign("a"));
    known.blocks.add(100L);
    assertTrue(isForeign("b"));
    known.blocks.add(99L);
    assertFalse(isForeign("c"));
  }

  @Test
  void nothingIsForeignWhileStripesAreNotKnown() {
    known.read = false;
    assertFalse(isForeign("a"));
    known.read = true;
    assertTrue(isForeign("a"));
    known.read = false;
    assertFalse(isForeign("a"));
    assertFalse(isForeign("b"));
    known.read = true;
    assertTrue(isForeign("a"));
    assertTrue(isForeign("c"));
  }

  @Test
  void aFileThatCannotBeFoundMayBeAnyones() {
    assertFalse(files.contains(null));
  }

  @Test
  void aFileOfManyBlocksIsLookedAtOnce() {
    for (int block = 0; block < 100; block++) {
      assertTrue(isForeign("a"));
    }
    assertEquals(100, known.asked);
  }

  @Test
  void aStripeThatIsNewMattersAtOnce() {
    assertTrue(isForeign("a"));
    known.blocks.add(7L);
    known.changes++;
    assertFalse(isForeign("a"));
    known.blocks.clear();
    known.changes++;
    assertTrue(isForeign("a"));
  }
}
