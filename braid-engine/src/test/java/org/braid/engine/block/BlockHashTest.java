package org.braid.engine.block;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.code.Gf256;
import org.braid.code.Solver;
import org.braid.code.derive.ParityCheck;
import org.braid.code.derive.ParityCopies;
import org.braid.kernel.Kernels;
import org.braid.kernel.LinearHash;
import org.braid.testing.Bytes;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hashes of whole stripes, of each kind of code, tell what fits and what does not. */
final class BlockHashTest {
  private static final int LONGEST = 100_001;

  private final Random random = Seeds.random(BlockHashTest.class);
  private final long seed = random.nextLong();

  private byte[] hashes(CellLayout layout, byte[] block) {
    BlockHash hash = new BlockHash(layout, seed, Kernels.active());
    for (int at = 0; at < block.length; ) {
      int count = Math.min(block.length - at, 1 + random.nextInt(50_000));
      hash.add(at, ByteBuffer.wrap(block, at, count));
      at += count;
    }
    return hash.hashes();
  }

  private static CellLayout layout(ErasureCode code) {
    return CellLayout.of(code.alpha(), CellLayout.cellFor(code.alpha(), 32 << 10), LONGEST);
  }

  private static ErasureCode code(String name) {
    return name.startsWith("2x ")
        ? new ParityCopies(Codes.named(name.substring(3)), 2)
        : Codes.named(name);
  }

  /** Blocks of a stripe whose data are of different lengths, as their generator makes them. */
  private List<byte[]> stripe(ErasureCode code, CellLayout layout) {
    int unit = (int) layout.unit();
    List<byte[]> blocks = new ArrayList<>();
    for (int i = 0; i < code.k(); i++) {
      blocks.add(Bytes.random(random, i == 0 ? LONGEST : random.nextInt(LONGEST)));
    }
    for (int block = code.k(); block < code.n(); block++) {
      byte[] parity = new byte[(int) layout.blockLength()];
      for (int index = 0; index < code.alpha(); index++) {
        int row = block * code.alpha() + index;
        byte[] sum = new byte[unit];
        for (int c = 0; c < code.k() * code.alpha(); c++) {
          if (code.generator().at(row, c) != 0) {
            byte[] padded = Arrays.copyOf(blocks.get(c / code.alpha()), parity.length);
            byte[] source = subBlock(layout, padded, c % code.alpha());
            Gf256.multiplyAdd(code.generator().at(row, c), source, 0, sum, 0, unit);
          }
        }
        for (int at = 0; at < unit; at++) {
          parity[(int) layout.inBlock(index, at)] = sum[at];
        }
      }
      blocks.add(parity);
    }
    return blocks;
  }

  private static byte[] subBlock(CellLayout layout, byte[] block, int index) {
    byte[] bytes = new byte[(int) layout.unit()];
    for (int at = 0; at < bytes.length; at++) {
      bytes[at] = block[(int) layout.inBlock(index, at)];
    }
    return bytes;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rs-3-2",
        "rs-10-4",
        "rep-3",
        "xor-4-1",
        "lrc-6-2-2",
        "lrc-10-2-2",
        "xorbas-10-6-5",
        "mxor-10-7",
        "rotated-rs-6-3-4",
        "hitchhiker-xor-6-3",
        "clay-4-2-5",
        "2x rs-3-2",
        "2x rotated-rs-3-2-4"
      })
  void aBitThatFlipsInAnyBlockIsSeenAndTheBlockNamed(String name) {
    ErasureCode code = code(name);
    CellLayout layout = layout(code);
    List<byte[]> blocks = stripe(code, layout);
    List<byte[]> hashes = new ArrayList<>();
    blocks.forEach(block -> hashes.add(hashes(layout, block)));
    assertEquals(new ParityCheck(List.of(), List.of()), ParityCheck.of(code, hashes));
    for (int bad = 0; bad < code.n(); bad++) {
      byte[] block = blocks.get(bad).clone();
      int at = random.nextInt(Math.max(1, block.length));
      block = Arrays.copyOf(block, Math.max(1, block.length));
      block[at] ^= (byte) (1 << random.nextInt(8));
      List<byte[]> changed = new ArrayList<>(hashes);
      changed.set(bad, hashes(layout, block));
      ParityCheck check = ParityCheck.of(code, changed);
      assertFalse(check.fits(), name + ": block " + bad);
      assertTrue(check.suspects().contains(bad), name + ": " + check + " of block " + bad);
      for (int other : check.suspects()) {
        // Only where both could not be told from the rest may another one explain it.
        assertTrue(
            other == bad || !Solver.decodable(code, Set.of(bad, other)),
            name + ": " + check + " of block " + bad);
      }
      if (bad >= code.k()) {
        assertEquals(List.of(bad), check.unfit());
      }
    }
  }

  @Test
  void noBlockIsNamedWhereSeveralAreBad() {
    ErasureCode code = Codes.named("rs-10-4");
    CellLayout layout = layout(code);
    List<byte[]> blocks = stripe(code, layout);
    blocks.get(2)[7] ^= 1;
    blocks.get(12)[9] ^= 4;
    ParityCheck check = ParityCheck.of(code, blocks.stream().map(b -> hashes(layout, b)).toList());
    assertEquals(new ParityCheck(List.of(10, 11, 12, 13), List.of()), check);
  }

  @Test
  void anyBlockMayBeTheBadOneOfASingleParity() {
    ErasureCode code = Codes.named("xor-4-1");
    CellLayout layout = layout(code);
    List<byte[]> blocks = stripe(code, layout);
    blocks.get(1)[0] ^= 1;
    ParityCheck check = ParityCheck.of(code, blocks.stream().map(b -> hashes(layout, b)).toList());
    assertEquals(new ParityCheck(List.of(4), List.of(0, 1, 2, 3, 4)), check);
  }

  /** Each sub-block is hashed as if it stood alone. */
  @Test
  void aBlockHasTheHashesOfItsSubBlocks() {
    CellLayout layout = CellLayout.of(4, 1024, LONGEST);
    byte[] block = Bytes.random(random, (int) layout.blockLength());
    byte[] expected = new byte[4 * LinearHash.BYTES];
    for (int index = 0; index < 4; index++) {
      byte[] alone = hashes(CellLayout.whole(layout.unit()), subBlock(layout, block, index));
      System.arraycopy(alone, 0, expected, index * LinearHash.BYTES, LinearHash.BYTES);
    }
    assertArrayEquals(expected, hashes(layout, block));
  }

  @Test
  void whatIsNoBlockOfTheStripeIsRefused() {
    CellLayout layout = CellLayout.whole(10);
    BlockHash hash = new BlockHash(layout, seed, Kernels.active());
    assertEquals(
        "2 bytes at 9 are not in a block of 10",
        assertThrows(IllegalArgumentException.class, () -> hash.add(9, ByteBuffer.allocate(2)))
            .getMessage());
    ErasureCode code = Codes.named("rs-3-2");
    List<byte[]> four = List.of(new byte[16], new byte[16], new byte[16], new byte[16]);
    assertEquals(
        "4 hashes, the first of 16 bytes: rs-3-2 has 5 blocks of 1 sub-blocks",
        assertThrows(IllegalArgumentException.class, () -> ParityCheck.of(code, four))
            .getMessage());
  }
}
