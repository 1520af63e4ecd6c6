package org.braid.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.IntStream;
import org.braid.engine.SliceSink;
import org.braid.engine.block.CellLayout;
import org.braid.testing.Bytes;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

/** Blocks put together from sub-blocks that come slice by slice. */
final class BlockAssemblyTest {
  private static final Random RANDOM = Seeds.random(BlockAssemblyTest.class);

  /** Keeps what is put, as a disk would. */
  private static final class Kept implements StoringSink.Destination {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private boolean published;
    private boolean discarded;

    @Override
    public String describe() {
      return "block";
    }

    @Override
    public void put(byte[] from, int count) {
      bytes.write(from, 0, count);
    }

    @Override
    public void publish() {
      published = true;
    }

    @Override
    public void discard() {
      discarded = true;
    }
  }

  private final Kept kept = new Kept();

  private BlockAssembly assembly(CellLayout layout, int slice, int content, OptionalInt recorded)
      throws IOException {
    List<ByteBuffer> windows = new ArrayList<>();
    for (int s = 0; s < layout.alpha(); s++) {
      windows.add(ByteBuffer.allocate(BlockAssembly.window(layout, slice)));
    }
    StoringSink block = new StoringSink(kept, "node", content, layout.blockLength(), recorded);
    return new BlockAssembly(block, layout, windows);
  }

  private static byte[] part(byte[] block, CellLayout layout, int index) {
    byte[] part = new byte[(int) layout.unit()];
    for (int i = 0; i < part.length; i++) {
      part[i] = block[(int) layout.inBlock(index, i)];
    }
    return part;
  }

  private static byte[] content(int bytes, CellLayout layout) {
    byte[] block = Bytes.random(RANDOM, (int) layout.blockLength());
    java.util.Arrays.fill(block, bytes, block.length, (byte) 0);
    return block;
  }

  /** As an engine does: each slice of all sub-blocks in some order, then all finishes. */
  private static List<SliceSink> write(
      BlockAssembly assembly, byte[] block, CellLayout layout, int slice) throws IOException {
    List<Integer> order = new ArrayList<>(IntStream.range(0, layout.alpha()).boxed().toList());
    Collections.shuffle(order, RANDOM);
    List<SliceSink> sinks = new ArrayList<>();
    IntStream.range(0, layout.alpha()).forEach(s -> sinks.add(assembly.part(s)));
    for (int at = 0; at < layout.unit(); at += slice) {
      int count = (int) Math.min(slice, layout.unit() - at);
      for (int s : order) {
        ByteBuffer bytes = ByteBuffer.wrap(part(block, layout, s), at, count);
        sinks.get(s).write(bytes);
        assertEquals(0, bytes.remaining());
      }
    }
    return sinks;
  }

  private static void finish(List<SliceSink> sinks, byte[] block, CellLayout layout)
      throws IOException {
    for (int s = 0; s < sinks.size(); s++) {
      sinks.get(s).finish(Bytes.crc32c(part(block, layout, s)));
    }
  }

  @Test
  void everyLayoutAndSliceAndOrderMakesTheBlock() throws IOException {
    for (int i = 0; i < 500; i++) {
      CellLayout layout =
          new CellLayout(2 + RANDOM.nextInt(4), 1 + RANDOM.nextInt(40), 1 + RANDOM.nextInt(300));
      int slice = 1 + RANDOM.nextInt(100);
      int content = 1 + RANDOM.nextInt((int) layout.blockLength());
      byte[] block = content(content, layout);
      byte[] expected = java.util.Arrays.copyOf(block, content);
      kept.bytes.reset();
      kept.published = false;
      BlockAssembly assembly =
          assembly(layout, slice, content, OptionalInt.of(Bytes.crc32c(expected)));
      List<SliceSink> sinks = write(assembly, block, layout, slice);
      assertFalse(kept.published);
      finish(sinks, block, layout);
      assertTrue(kept.published);
      assertArrayEquals(expected, kept.bytes.toByteArray(), layout + ", slices of " + slice);
      assertEquals(Bytes.crc32c(block), assembly.crc());
      for (SliceSink sink : sinks) {
        sink.close();
      }
      assertFalse(kept.discarded);
    }
  }

  @Test
  void withoutItsLastSubBlockABlockIsDiscarded() throws IOException {
    CellLayout layout = new CellLayout(3, 10, 35);
    byte[] block = content(105, layout);
    List<SliceSink> sinks =
        write(assembly(layout, 10, 105, OptionalInt.empty()), block, layout, 10);
    finish(sinks.subList(0, 2), block, layout);
    assertFalse(kept.published);
    sinks.get(0).close();
    assertTrue(kept.discarded);
    assertThrows(IOException.class, () -> sinks.get(0).write(ByteBuffer.allocate(1)));
  }

  @Test
  void anotherCrcThanWhereItWasCombinedIsNotPublished() throws IOException {
    CellLayout layout = new CellLayout(2, 10, 35);
    byte[] block = content(70, layout);
    List<SliceSink> sinks = write(assembly(layout, 10, 70, OptionalInt.empty()), block, layout, 10);
    IOException e = assertThrows(IOException.class, () -> sinks.get(1).finish(4711));
    assertTrue(
        String.valueOf(e.getMessage()).startsWith("sub-block 1: CRC-32C is "), e.getMessage());
    assertFalse(kept.published);
  }

  @Test
  void windowsHoldNoMoreThanWaits() {
    CellLayout layout = new CellLayout(4, 512, 4096);
    assertEquals(512, BlockAssembly.window(layout, 512));
    assertEquals(1024, BlockAssembly.window(layout, 1024));
    assertEquals(1512, BlockAssembly.window(layout, 1000));
    assertEquals(612, BlockAssembly.window(layout, 100));
    assertEquals(4096, BlockAssembly.window(layout, 1 << 20));
  }
}
