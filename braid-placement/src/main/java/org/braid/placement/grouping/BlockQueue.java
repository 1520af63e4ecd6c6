package org.braid.placement.grouping;

import java.util.Arrays;
import java.util.NoSuchElementException;

/** Numbers of blocks, first in, first out. */
final class BlockQueue {
  /** A ring; its length is a power of two. */
  private int[] ring = new int[64];

  private int first;
  private int size;

  int size() {
    return size;
  }

  void add(int block) {
    if (size == ring.length) {
      ring = Arrays.copyOf(blocks(), 2 * size);
      first = 0;
    }
    ring[index(size++)] = block;
  }

  /** Takes the block out that was added first. */
  int remove() {
    if (size == 0) {
      throw new NoSuchElementException("the queue holds no block");
    }
    int block = ring[first];
    first = index(1);
    size--;
    return block;
  }

  /** The blocks, the one that was added first in front. */
  int[] blocks() {
    int[] blocks = new int[size];
    for (int i = 0; i < size; i++) {
      blocks[i] = ring[index(i)];
    }
    return blocks;
  }

  private int index(int place) {
    return (first + place) & (ring.length - 1);
  }
}
