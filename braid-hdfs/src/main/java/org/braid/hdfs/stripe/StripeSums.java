package org.braid.hdfs.stripe;

import java.util.ArrayList;
import java.util.List;
import org.braid.hdfs.proto.BraidProtos.StripeSumsProto;
import org.jspecify.annotations.Nullable;

/**
 * Sums over stripes by the first digits of their ids. They compare two sets of stripes in little
 * memory, and narrow a difference down to a few ids. A stripe that is added twice makes a
 * difference, too.
 */
public final class StripeSums {
  private static final int DIGITS = 3;
  private static final int PARTS = 1 << (4 * DIGITS);

  private final long[] sums = new long[PARTS];

  /**
   * A range of ids.
   *
   * @param after lower bound of the ids, a prefix; empty to begin at the first id
   * @param before upper bound of the ids, a prefix; null to end at the last id
   */
  public record Range(String after, @Nullable String before) {}

  /** Where a stripe is added; -1 when its name is no id. */
  private static int part(String id) {
    int part = 0;
    for (int i = 0; i < DIGITS; i++) {
      char c = i < id.length() ? id.charAt(i) : ' ';
      int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
      if (digit < 0) {
        return -1;
      }
      part = (part << 4) | digit;
    }
    return part;
  }

  /**
   * Adds a stripe. After a name that is no id, no sums are equal any more.
   *
   * @param inode inode of its parity file
   */
  public void add(String id, long inode) {
    int part = part(id);
    if (part >= 0) {
      sums[part] += mix(inode);
      return;
    }
    for (int i = 0; i < PARTS; i++) {
      sums[i] += mix(inode);
    }
  }

  /** Adds the sums of a message. */
  public void add(StripeSumsProto others) {
    int size = Math.min(others.getPartsCount(), others.getSumsCount());
    for (int i = 0; i < size; i++) {
      sums[Math.floorMod(others.getParts(i), PARTS)] += others.getSums(i);
    }
  }

  /** The ranges in which two sums differ, in the order of ids; adjacent ranges are merged. */
  public List<Range> differences(StripeSums others) {
    List<Range> ranges = new ArrayList<>();
    for (int part = 0; part < PARTS; part++) {
      int begin = part;
      while (part < PARTS && sums[part] != others.sums[part]) {
        part++;
      }
      if (part > begin) {
        ranges.add(new Range(name(begin), part == PARTS ? null : name(part)));
      }
    }
    return ranges;
  }

  private static String name(int part) {
    return part == 0 ? "" : "%03x".formatted(part);
  }

  /** The sums as a message. */
  public StripeSumsProto toProto() {
    StripeSumsProto.Builder proto = StripeSumsProto.newBuilder();
    for (int part = 0; part < PARTS; part++) {
      if (sums[part] != 0) {
        proto.addParts(part).addSums(sums[part]);
      }
    }
    return proto.build();
  }

  /** SplitMix64's finalizer: sums of other numbers are other sums. */
  private static long mix(long inode) {
    long mixed = (inode + 0x9E3779B97F4A7C15L) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }
}
