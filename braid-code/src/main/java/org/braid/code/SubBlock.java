package org.braid.code;

/**
 * A sub-block of a stripe, the unit that a code combines. With alpha = 1 a block has one sub-block,
 * 0.
 *
 * @param block position of the block in the stripe, 0..n-1, data blocks first
 * @param index position of the sub-block in its block, 0..alpha-1
 */
public record SubBlock(int block, int index) implements Comparable<SubBlock> {
  @Override
  public int compareTo(SubBlock other) {
    int byBlock = Integer.compare(block, other.block);
    return byBlock != 0 ? byBlock : Integer.compare(index, other.index);
  }
}
