package org.braid.hdfs.namenode.stripes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
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

  private boolean isForeign(String file) {
    return isForeign(file, 0);
  }

  private boolean isForeign(String file, long past) {
    return files.isForeign(
        new ForeignFiles.Blocks(file.charAt(0), file, past), LongStream.range(0, 100));
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

  @Test
  void filesWhoseBlocksComeByTurnsAreLookedAtOnceEach() {
    for (int block = 0; block < 100; block++) {
      assertTrue(isForeign("a"));
      assertTrue(isForeign("b"));
    }
    assertEquals(200, known.asked);
  }

  @Test
  void aFileOfStripesIsNotLookedAtAgainForOtherStripes() {
    known.blocks.add(99L);
    assertFalse(isForeign("a"));
    known.asked = 0;
    for (int block = 0; block < 100; block++) {
      known.changes++;
      assertFalse(isForeign("a"));
    }
    assertEquals(100, known.asked);
  }

  @Test
  void otherBlocksOfAFileMatterAtOnce() {
    assertTrue(isForeign("a1"));
    known.blocks.add(5L);
    assertFalse(isForeign("a2"), "the file was given other blocks");
    known.blocks.clear();
    assertTrue(isForeign("a2"));
    known.blocks.add(5L);
    assertTrue(isForeign("a2", 0), "nothing has changed");
    assertFalse(isForeign("a2", 1), "a snapshot may have others");
  }

  @Test
  void theAnswersForTheLastFilesAreKept() {
    ForeignFiles.Answers<String> answers = new ForeignFiles.Answers<>();
    Object blocks = new Object();
    int most = ForeignFiles.Answers.MOST;
    for (int file = 0; file <= most; file++) {
      answers.put(new ForeignFiles.Blocks(file, blocks, 0), "file " + file);
    }
    assertNull(answers.of(new ForeignFiles.Blocks(0, blocks, 0)));
    assertEquals("file 1", answers.of(new ForeignFiles.Blocks(1, blocks, 0)));
    assertEquals("file " + most, answers.of(new ForeignFiles.Blocks(most, blocks, 0)));
    answers.clear();
    assertNull(answers.of(new ForeignFiles.Blocks(1, blocks, 0)));
  }
}
