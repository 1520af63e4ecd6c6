package org.braid.hdfs.namenode.stripes;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import org.apache.hadoop.hdfs.server.namenode.INodeDirectory;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.XAttrFeature;
import org.braid.hdfs.namenode.stripes.ParityFiles.Parity;
import org.braid.hdfs.namenode.stripes.StripeIndex.Entry;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.Stripe;
import org.jspecify.annotations.Nullable;

/**
 * Published stripes by their blocks. The table holds only numbers; the descriptions stay in the
 * attributes of the parity files in the namespace, and are decoded on demand. Look-ups take none of
 * the NameNode's locks.
 */
final class StripeTable {
  private static final int CACHED = 1024;
  private static final int FIRST = 1024;

  /** Stripes looked at in a hold of the table's lock. */
  private static final int CHUNK = 4096;

  /** The names of directories, by the number that each is. */
  private static final List<String> NAMES =
      IntStream.range(0, 256).mapToObj(i -> HexFormat.of().toHexDigits((byte) i)).toList();

  private final ParityFiles namespace;
  private final LongTable byBlock = new LongTable();
  private final LongTable byFile = new LongTable();

  /** Stripes that hold a block beside the later one that {@link #byBlock} names; very few. */
  private final Map<Long, Set<Integer>> earlier = new ConcurrentHashMap<>();

  /** How many stripes each directory has, by its name. */
  private final Map<String, Integer> counts = new TreeMap<>();

  private final StripeTotals totals = new StripeTotals();
  private final Deque<Integer> free = new ArrayDeque<>();
  private volatile @Nullable INodeFile[] files = new INodeFile[FIRST];
  private volatile @Nullable XAttrFeature[] attributes = new XAttrFeature[FIRST];

  /** The numbers of the directories in which the stripes were found: files may be renamed. */
  private byte[] places = new byte[FIRST];

  private int used;
  private volatile int size;

  private record Decoded(Parity parity, Entry entry) {}

  private final AtomicReferenceArray<@Nullable Decoded> decoded =
      new AtomicReferenceArray<>(CACHED);

  StripeTable(ParityFiles namespace) {
    this.namespace = namespace;
  }

  int size() {
    return size;
  }

  StripeTotals totals() {
    return totals;
  }

  /** Whether a file is known with these attributes. */
  boolean has(Parity parity) {
    int slot = byFile.get(parity.file().getId());
    return slot != LongTable.ABSENT && isSame(attributes[slot], parity.attributes());
  }

  /** Attributes are never changed, so that others have another identity; comparing decodes them. */
  @SuppressWarnings("ReferenceEquality")
  private static boolean isSame(@Nullable XAttrFeature one, @Nullable XAttrFeature other) {
    return one == other;
  }

  /** Whether a file is known, with whatever attributes. */
  boolean knows(long inode) {
    return byFile.get(inode) != LongTable.ABSENT;
  }

  /** Whether a block is in a stripe. */
  boolean holds(long block) {
    return byBlock.get(block) != LongTable.ABSENT;
  }

  /** The stripe that holds a block, as the namespace describes it now. */
  Optional<Entry> of(long block) {
    int slot = byBlock.get(block);
    while (slot != LongTable.ABSENT) {
      Optional<Entry> entry =
          entry(slot).filter(found -> found.stripe().positionOf(block).isPresent());
      int again = byBlock.get(block);
      if (entry.isPresent() || again == slot) {
        return entry;
      }
      slot = again; // the stripe was removed meanwhile
    }
    return Optional.empty();
  }

  /** Whether a stripe is indexed with the blocks that the namespace records now. */
  boolean isIndexed(Entry entry) {
    int slot = byFile.get(entry.inode());
    INodeFile file = slot == LongTable.ABSENT ? null : files[slot];
    return file != null && isSame(attributes[slot], file.getXAttrFeature());
  }

  /** Whether a block is in a stripe that is indexed and in no other one. */
  boolean isOnlyIn(Entry entry, long block) {
    return entry.stripe().positionOf(block).isPresent() && !earlier.containsKey(block);
  }

  /** All stripes that hold a block: the current one and earlier ones. */
  List<Entry> all(long block) {
    List<Entry> all = new ArrayList<>();
    of(block).ifPresent(all::add);
    for (int slot : earlier.getOrDefault(block, Set.of())) {
      entry(slot)
          .filter(found -> found.stripe().positionOf(block).isPresent())
          .filter(found -> all.stream().noneMatch(other -> other.id().equals(found.id())))
          .ifPresent(all::add);
    }
    return all;
  }

  /** The ids of all blocks, in parts and in no order; each part as it is when it is asked for. */
  Iterable<long[]> blocks() {
    return byBlock::parts;
  }

  /** Adds the numbers of the stripes that hold a block to others. */
  void mark(long block, BitSet numbers) {
    int slot = byBlock.get(block);
    if (slot != LongTable.ABSENT) {
      numbers.set(slot);
    }
    earlier.getOrDefault(block, Set.of()).forEach(numbers::set);
  }

  /** The number of the stripe that holds a block, or {@link LongTable#ABSENT}. */
  int number(long block) {
    return byBlock.get(block);
  }

  /** The parity file of the stripe that has a number now, or 0. */
  long fileOf(int number) {
    INodeFile file = files[number];
    return file == null ? 0 : file.getId();
  }

  /** The stripe of a parity file. */
  Optional<Entry> ofFile(long inode) {
    int slot = byFile.get(inode);
    return slot == LongTable.ABSENT
        ? Optional.empty()
        : entry(slot).filter(found -> found.inode() == inode);
  }

  /** The stripe that has a number now. */
  Optional<Entry> at(int number) {
    return entry(number);
  }

  private Optional<Entry> entry(int slot) {
    INodeFile file = files[slot];
    XAttrFeature known = attributes[slot];
    if (file == null || known == null || file.getParent() == null) {
      return Optional.empty();
    }
    // HDFS removes attributes for a moment when it replaces them.
    XAttrFeature present = file.getXAttrFeature();
    Parity parity = new Parity(file, present == null ? known : present);
    Decoded last = decoded.get(slot % CACHED);
    if (last != null
        && last.parity.file().equals(file)
        && isSame(last.parity.attributes(), parity.attributes())) {
      return Optional.of(last.entry);
    }
    Optional<Entry> entry = namespace.entry(parity);
    entry.ifPresent(found -> decoded.set(slot % CACHED, new Decoded(parity, found)));
    // Until a description can be read again, the last one that could says which blocks there are.
    return entry.isPresent() ? entry : namespace.entry(new Parity(file, known));
  }

  /** Adds a stripe, or records its new description. */
  synchronized void put(Parity parity, Stripe stripe) {
    long inode = parity.file().getId();
    int slot = byFile.get(inode);
    Set<Long> gone = new HashSet<>();
    if (slot == LongTable.ABSENT) {
      slot = take();
      size++;
      places[slot] = (byte) HexFormat.fromHexDigits(stripe.id(), 0, BraidPaths.PREFIX);
      counts.merge(directory(slot), 1, Integer::sum);
      totals.add(stripe);
    } else {
      Optional<Stripe> before = ParityFiles.described(files[slot], attributes[slot]);
      before.map(Stripe::blockIds).ifPresent(gone::addAll);
      before.ifPresentOrElse(present -> totals.replace(present, stripe), () -> totals.add(stripe));
    }
    files[slot] = parity.file();
    attributes[slot] = parity.attributes();
    byFile.put(inode, slot);
    // Never without its blocks, not for a moment: look-ups take no lock.
    for (long block : stripe.blockIds()) {
      gone.remove(block);
      int other = byBlock.get(block);
      if (other == LongTable.ABSENT || other == slot) {
        byBlock.put(block, slot);
      } else {
        earlier
            .computeIfAbsent(block, unused -> ConcurrentHashMap.newKeySet())
            .add(later(slot, other) ? other : slot);
        byBlock.put(block, later(slot, other) ? slot : other);
      }
    }
    for (long block : gone) {
      release(block, slot);
    }
  }

  private int take() {
    Integer again = free.poll();
    if (again != null) {
      return again;
    }
    if (used == files.length) {
      attributes = Arrays.copyOf(attributes, 2 * used);
      files = Arrays.copyOf(files, 2 * used);
      places = Arrays.copyOf(places, 2 * used);
    }
    return used++;
  }

  /** Of two stripes that hold a block the one whose parity file is younger counts. */
  private boolean later(int one, int other) {
    INodeFile first = files[one];
    INodeFile second = files[other];
    return second == null || (first != null && first.getId() > second.getId());
  }

  /** Takes a block from a stripe; an earlier one that holds it, too, has it from now on. */
  private void release(long block, int slot) {
    Set<Integer> others = earlier.get(block);
    if (byBlock.get(block) != slot) {
      if (others != null) {
        others.remove(slot);
      }
    } else if (others == null || others.isEmpty()) {
      byBlock.remove(block);
    } else {
      int best = others.stream().reduce((one, other) -> later(one, other) ? one : other).get();
      others.remove(best);
      byBlock.put(block, best);
    }
    if (others != null && others.isEmpty()) {
      earlier.remove(block);
    }
  }

  /** Forgets the stripe of a parity file. */
  synchronized void remove(long inode) {
    int slot = byFile.get(inode);
    INodeFile file = slot == LongTable.ABSENT ? null : files[slot];
    if (file == null) {
      return;
    }
    ParityFiles.described(files[slot], attributes[slot])
        .ifPresent(
            stripe -> {
              stripe.blockIds().forEach(block -> release(block, slot));
              totals.remove(stripe);
            });
    byFile.remove(inode);
    counts.merge(directory(slot), -1, Integer::sum);
    files[slot] = null;
    attributes[slot] = null;
    free.add(slot);
    size--;
  }

  /**
   * The state of a directory of parity files.
   *
   * @param inode null when the directory no longer exists
   * @param stripes number of its stripes
   */
  record Found(@Nullable INodeDirectory inode, int stripes) {}

  /**
   * Removes stripes whose files are no longer in their directories, in one pass through all
   * stripes, during which look-ups go on.
   *
   * @param directories directories to check, by name
   */
  void retain(Map<String, Found> directories) throws IOException {
    Map<String, Found> left = new HashMap<>(directories);
    for (boolean inSnapshots : List.of(false, true)) { // which is rare, and takes longer
      left.entrySet().removeIf(this::fits);
      for (int from = 0; from < files.length && !left.isEmpty(); from += CHUNK) {
        List<INodeFile> there = retain(left, from);
        (inSnapshots ? namespace.gone(there) : List.<INodeFile>of())
            .forEach(f -> remove(f.getId()));
        left.entrySet().removeIf(this::fits);
      }
    }
  }

  private boolean fits(Map.Entry<String, Found> directory) {
    return count(directory.getKey()) == directory.getValue().stripes();
  }

  /** Forgets some that are elsewhere; returns those that may be there. */
  private synchronized List<INodeFile> retain(Map<String, Found> directories, int from) {
    List<INodeFile> there = new ArrayList<>();
    for (int slot = from; slot < Math.min(files.length, from + CHUNK); slot++) {
      INodeFile file = files[slot];
      Found directory = file == null ? null : directories.get(directory(slot));
      if (file != null && directory != null) {
        if (Objects.equals(file.getParent(), directory.inode())) {
          there.add(file);
        } else {
          remove(file.getId());
        }
      }
    }
    return there;
  }

  /** The number of stripes below a directory of parity files. */
  synchronized int count(String path) {
    return counts.getOrDefault(path.substring(path.lastIndexOf('/') + 1), 0);
  }

  /** The names of the directories of all stripes. */
  synchronized Set<String> directories() {
    return new HashSet<>(counts.keySet());
  }

  private String directory(int slot) {
    return NAMES.get(places[slot] & 0xff);
  }

  /**
   * A map from numbers to small numbers, at most 18 bytes an entry. It is cut into segments, so
   * that look-ups seldom meet and no growth takes long. Thread-safe.
   */
  static final class LongTable {
    /** The value of a missing key. */
    static final int ABSENT = -1;

    private static final int SEGMENTS = 256;
    private static final int LEAST = 16;

    /** A segment is at most this part full. */
    private static final double FULL = 0.75;

    private final Segment[] segments = new Segment[SEGMENTS];

    LongTable() {
      Arrays.setAll(segments, i -> new Segment());
    }

    int get(long key) {
      long hash = hash(key);
      return segment(hash).get(key, (int) hash);
    }

    /**
     * Puts a value in the place of any other.
     *
     * @param value at least 0
     */
    void put(long key, int value) {
      long hash = hash(key);
      segment(hash).put(key, value, (int) hash);
    }

    void remove(long key) {
      long hash = hash(key);
      segment(hash).remove(key, (int) hash);
    }

    /** All keys, a segment at a time. */
    Iterator<long[]> parts() {
      return Arrays.stream(segments).map(Segment::present).iterator();
    }

    private Segment segment(long hash) {
      return segments[(int) (hash >>> 56)];
    }

    /** SplitMix64's finalizer: ids are consecutive. */
    private static long hash(long key) {
      long mixed = (key ^ (key >>> 30)) * 0xBF58476D1CE4E5B9L;
      mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
      return mixed ^ (mixed >>> 31);
    }

    /** A table with linear probing; the length is a power of two. */
    private static final class Segment {
      private long[] keys = new long[LEAST];
      private int[] values = new int[LEAST];
      private int size;

      Segment() {
        Arrays.fill(values, ABSENT);
      }

      synchronized int get(long key, int hash) {
        return values[find(key, hash)];
      }

      synchronized void put(long key, int value, int hash) {
        int at = find(key, hash);
        if (values[at] == ABSENT) {
          keys[at] = key;
          size++;
        }
        values[at] = value;
        if (size > FULL * keys.length) {
          grow();
        }
      }

      synchronized void remove(long key, int hash) {
        int hole = find(key, hash);
        if (values[hole] == ABSENT) {
          return;
        }
        size--;
        int mask = keys.length - 1;
        // What was pushed behind the hole moves up, so that it is found.
        for (int at = (hole + 1) & mask; values[at] != ABSENT; at = (at + 1) & mask) {
          int wanted = (int) hash(keys[at]) & mask;
          if (((at - wanted) & mask) >= ((at - hole) & mask)) {
            keys[hole] = keys[at];
            values[hole] = values[at];
            hole = at;
          }
        }
        values[hole] = ABSENT;
      }

      synchronized long[] present() {
        return IntStream.range(0, keys.length)
            .filter(at -> values[at] != ABSENT)
            .mapToLong(at -> keys[at])
            .toArray();
      }

      /** Where a key is, or would be put. */
      private int find(long key, int hash) {
        int mask = keys.length - 1;
        int at = hash & mask;
        while (values[at] != ABSENT && keys[at] != key) {
          at = (at + 1) & mask;
        }
        return at;
      }

      private void grow() {
        long[] oldKeys = keys;
        int[] oldValues = values;
        keys = new long[2 * oldKeys.length];
        values = new int[keys.length];
        Arrays.fill(values, ABSENT);
        for (int i = 0; i < oldKeys.length; i++) {
          if (oldValues[i] != ABSENT) {
            int at = find(oldKeys[i], (int) hash(oldKeys[i]));
            keys[at] = oldKeys[i];
            values[at] = oldValues[i];
          }
        }
      }
    }
  }
}
