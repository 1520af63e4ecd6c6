package org.braid.hdfs.namenode.stripes;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.Stripe;
import org.jspecify.annotations.Nullable;

/**
 * Stripes between their description and the end of their trim. Look-ups take no lock; changes are
 * made under the lock of the index, by several threads for different stripes.
 */
final class UnfinishedStripes {
  private static final int MOST_FOUND = 100_000;

  private final NameNodeHost host;

  /**
   * The kept data of a stripe that is described but not trimmed. There may be as many as stripes
   * with files that users gave replicas. Compared by identity.
   */
  static final class Awaited {
    private final String id;
    private final long[] blocks;

    /** By block the UUID of its home; empty when none is named. */
    private final String[] homes;

    private Awaited(Stripe stripe) {
      List<Member> members =
          stripe.members().stream().filter(member -> !member.isVirtual()).toList();
      id = stripe.id();
      blocks = members.stream().mapToLong(member -> member.block().id()).toArray();
      homes = members.stream().map(member -> member.home().intern()).toArray(String[]::new);
    }

    private boolean isAs(Awaited other) {
      return Arrays.equals(blocks, other.blocks) && Arrays.equals(homes, other.homes);
    }
  }

  /** The homes of blocks of stripes that are described but not trimmed. Thread-safe. */
  static final class AwaitedHomes {
    private final int mostFound;
    private final Map<String, Awaited> awaited = new ConcurrentHashMap<>();

    /**
     * The stripe of each block that was described last: what is left of one that lost data may be
     * encoded anew, at the same homes.
     */
    private final Map<Long, Awaited> stripes = new ConcurrentHashMap<>();

    /**
     * Starts empty.
     *
     * @param mostFound limit on stripes that were found rather than described here: their files may
     *     be in conversion, or may have been given replicas for good
     */
    AwaitedHomes(int mostFound) {
      this.mostFound = mostFound;
    }

    /** Adds a stripe that was just described. */
    void await(Stripe stripe) {
      put(new Awaited(stripe));
    }

    /** Adds a stripe that was found, up to the limit. */
    void awaitFound(Stripe stripe) {
      if (awaited.size() < mostFound || awaited.containsKey(stripe.id())) {
        await(stripe);
      }
    }

    /** Updates the homes of a stripe in this set; returns whether they have changed. */
    boolean renew(Stripe stripe) {
      Awaited before = awaited.get(stripe.id());
      if (before == null) {
        return false;
      }
      Awaited now = new Awaited(stripe);
      if (now.isAs(before)) {
        return false;
      }
      put(now);
      return true;
    }

    private void put(Awaited now) {
      Awaited before = awaited.put(now.id, now);
      for (int i = 0; i < now.blocks.length; i++) {
        if (!now.homes[i].isEmpty()) {
          stripes.put(now.blocks[i], now); // without a moment in which a home that stays is none
        }
      }
      if (before != null) {
        release(before);
      }
    }

    private void release(Awaited stripe) {
      for (long block : stripe.blocks) {
        stripes.remove(block, stripe);
      }
    }

    /** Removes a stripe. */
    void forget(String id) {
      Awaited stripe = awaited.remove(id);
      if (stripe != null) {
        release(stripe);
      }
    }

    /** Removes a stripe unless it was described again since. */
    void forget(Awaited stripe) {
      if (awaited.remove(stripe.id, stripe)) {
        release(stripe);
      }
    }

    /** The home of a block. */
    Optional<String> at(long block) {
      Awaited stripe = stripes.get(block);
      for (int i = 0; stripe != null && i < stripe.blocks.length; i++) {
        if (stripe.blocks[i] == block) {
          return Optional.of(stripe.homes[i]);
        }
      }
      return Optional.empty();
    }

    boolean isEmpty() {
      return stripes.isEmpty();
    }

    Set<String> ids() {
      return Set.copyOf(awaited.keySet());
    }

    List<Awaited> all() {
      return List.copyOf(awaited.values());
    }
  }

  private final AwaitedHomes homes = new AwaitedHomes(MOST_FOUND);

  /** Grows whenever a home is added. */
  private final AtomicLong added = new AtomicLong();

  /** The blocks of files by their homes, as these were when so many had been added. */
  private record Answer(long added, Map<String, List<Long>> blocks) {}

  /** Files whose answers are kept: each may be of a file's tens of thousands of blocks. */
  private static final int FILES = 16;

  private final ForeignFiles.Answers<Answer> answers = new ForeignFiles.Answers<>(FILES);

  /** Stripes that were described in the staging directory and are about to be published. */
  private final Map<String, Staged> staged = new ConcurrentHashMap<>();

  private final Map<Long, String> stagedBlocks = new ConcurrentHashMap<>();

  UnfinishedStripes(NameNodeHost host) {
    this.host = host;
  }

  /** A stripe and the parity file in the staging directory that describes it. */
  record Staged(String path, Stripe stripe) {}

  /** The home of each block is to keep its replica until the stripe is trimmed. */
  void await(Stripe stripe) {
    homes.await(stripe);
    added.incrementAndGet();
  }

  /** Updates a stripe of {@link #await} that was described again. */
  void renew(Stripe stripe) {
    if (homes.renew(stripe)) {
      added.incrementAndGet();
    }
  }

  /** Ids of the stripes that are described but not trimmed. */
  Set<String> awaitedIds() {
    return homes.ids();
  }

  /** Removes a stripe that is trimmed or gone. */
  void trimmed(String id) {
    homes.forget(id);
  }

  /** Adds stripes whose conversion began on another NameNode, or before a restart. */
  void awaitReplicated(List<StripeIndex.Entry> published) throws IOException {
    host.reading(
        "braidStripes",
        () -> {
          List<Stripe> replicated =
              published.stream()
                  .map(StripeIndex.Entry::stripe)
                  .filter(stripe -> isReplicated(stripe.blockIds().stream().mapToLong(id -> id)))
                  .toList();
          replicated.forEach(homes::awaitFound);
          return replicated.isEmpty() ? added.get() : added.incrementAndGet();
        });
  }

  /** Removes stripes whose conversion is over. */
  void forgetTrimmed() throws IOException {
    forget(over());
  }

  /**
   * Stripes whose blocks all aim at one replica by now, and stripes that are neither staged nor
   * published; checked in short holds of the lock.
   */
  List<Awaited> over() throws IOException {
    List<Awaited> over = new ArrayList<>();
    host.readingEach(
        "braidStripes",
        homes.all(),
        stripe -> {
          if (!isReplicated(Arrays.stream(stripe.blocks)) || isGone(stripe.id)) {
            over.add(stripe);
          }
        });
    return over;
  }

  /** Whether a stripe is neither staged nor published; the namesystem's lock is held. */
  private boolean isGone(String id) throws IOException {
    return !staged.containsKey(id) && host.inode(BraidPaths.stripePath(id)) == null;
  }

  /** Removes stripes unless they were described again meanwhile. */
  void forget(List<Awaited> stripes) {
    stripes.forEach(homes::forget);
  }

  /** Whether one of some blocks is to have several replicas; the namesystem's lock is held. */
  private boolean isReplicated(LongStream ids) {
    return ids.mapToObj(id -> ReplicaView.stored(host.blocks(), id))
        .anyMatch(block -> block.isPresent() && block.get().getReplication() > 1);
  }

  /** The home of a block, which keeps its replica. */
  Optional<String> awaitedAt(long block) {
    return homes.at(block);
  }

  /**
   * The blocks with a home, by the UUID of the home; may include blocks that are being trimmed.
   *
   * @param blocks blocks of the file, including those that only its snapshots hold
   */
  Map<String, List<Long>> awaitedOf(ForeignFiles.Blocks file, LongStream blocks) {
    if (homes.isEmpty()) {
      answers.clear();
      return Map.of();
    }
    long now = added.get();
    Answer present = answers.of(file);
    if (present == null || present.added != now) {
      present = new Answer(now, byHome(blocks, this::awaitedAt));
      answers.put(file, present);
    }
    return present.blocks;
  }

  /** The blocks with a home, without duplicates, which a snapshot of a truncated file causes. */
  static Map<String, List<Long>> byHome(
      LongStream blocks, LongFunction<Optional<String>> awaitedAt) {
    Map<String, List<Long>> found = new HashMap<>();
    blocks
        .distinct()
        .forEach(
            id ->
                awaitedAt
                    .apply(id)
                    .ifPresent(
                        home -> found.computeIfAbsent(home, u -> new ArrayList<>()).add(id)));
    return Collections.unmodifiableMap(found);
  }

  void stage(String path, Stripe stripe) {
    staged.put(stripe.id(), new Staged(path, stripe));
    for (Member member : stripe.members()) {
      if (!member.isVirtual()) {
        stagedBlocks.put(member.block().id(), stripe.id());
      }
    }
  }

  /** Removes a stripe from the staged ones. */
  void unstage(String id) {
    Staged gone = staged.remove(id);
    if (gone != null) {
      for (Member member : gone.stripe.members()) {
        if (!member.isVirtual()) {
          stagedBlocks.remove(member.block().id(), id);
        }
      }
    }
  }

  /** Whether the file of a staged stripe is no longer in its place. */
  boolean isGone(Staged stripe) throws IOException {
    return host.readingFiles("braidStaged", () -> host.inode(stripe.path()) == null);
  }

  /** The staged stripe that a block belongs to. */
  @Nullable String stagedWith(long block) {
    return stagedBlocks.get(block);
  }

  Map<String, Staged> staged() {
    return Map.copyOf(staged);
  }
}
