package org.braid.hdfs.namenode.stripes;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.Stripe;
import org.jspecify.annotations.Nullable;

/**
 * Stripes on their way from description to trimming. Look-ups take no lock; changes are made under
 * the lock of the index, by several threads for different stripes.
 */
final class UnfinishedStripes {
  private final NameNodeHost host;

  /**
   * The home of a block by the stripe that was described last: what is left of one that lost data
   * may be encoded anew, at the same homes.
   */
  private record Home(String stripe, String node) {}

  /** The homes of blocks of stripes that are described but not trimmed. */
  private final Map<Long, Home> homes = new ConcurrentHashMap<>();

  /** Grows whenever a home is added. */
  private final AtomicLong added = new AtomicLong();

  /** The blocks of files by their homes, as these were when so many had been added. */
  private record Answer(long added, Map<String, List<Long>> blocks) {}

  /** Files whose answers are kept: each may be of a file's tens of thousands of blocks. */
  private static final int FILES = 16;

  private final ForeignFiles.Answers<Answer> answers = new ForeignFiles.Answers<>(FILES);

  private final Map<String, Stripe> awaited = new ConcurrentHashMap<>();

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
    Map<Long, Home> present = homes(stripe);
    Stripe before = awaited.put(stripe.id(), stripe);
    homes.putAll(present); // without a moment in which a home that stays is none
    if (before != null) {
      homes(before).entrySet().stream()
          .filter(home -> !home.getValue().equals(present.get(home.getKey())))
          .forEach(home -> homes.remove(home.getKey(), home.getValue()));
    }
    added.incrementAndGet();
  }

  private static Map<Long, Home> homes(Stripe stripe) {
    Map<Long, Home> found = new HashMap<>();
    for (Member member : stripe.members()) {
      if (!member.isVirtual() && !member.home().isEmpty()) {
        found.put(member.block().id(), new Home(stripe.id(), member.home()));
      }
    }
    return found;
  }

  /** The same as {@link #await} for a stripe that is awaited and was described anew. */
  void renew(Stripe stripe) {
    Stripe before = awaited.get(stripe.id());
    if (before != null && !before.equals(stripe)) {
      await(stripe);
    }
  }

  /** The stripes that are described but not trimmed. */
  Set<String> awaitedIds() {
    return Set.copyOf(awaited.keySet());
  }

  /** Nothing is awaited of a stripe any more: it is trimmed, or gone. */
  void trimmed(String id) {
    Stripe stripe = awaited.remove(id);
    if (stripe != null) {
      homes(stripe).forEach(homes::remove);
    }
  }

  /** Conversions that another NameNode, or this one before a restart, saw begin. */
  void awaitReplicated(List<StripeIndex.Entry> published) throws IOException {
    host.reading(
        "braidStripes",
        () -> {
          published.stream()
              .map(StripeIndex.Entry::stripe)
              .filter(this::isReplicated)
              .forEach(this::await);
          return published.size();
        });
  }

  /** Conversions that were seen begin, and whose blocks are to have one replica by now. */
  void forgetTrimmed() throws IOException {
    forget(single());
  }

  /** These stripes, looked at in short holds of the lock. */
  List<Stripe> single() throws IOException {
    List<Stripe> single = new ArrayList<>();
    host.readingEach(
        "braidStripes",
        List.copyOf(awaited.values()),
        stripe -> {
          if (!isReplicated(stripe)) {
            single.add(stripe);
          }
        });
    return single;
  }

  /** Nothing is awaited of some stripes any more, unless they were described anew meanwhile. */
  void forget(List<Stripe> stripes) {
    for (Stripe stripe : stripes) {
      if (Objects.equals(stripe, awaited.get(stripe.id()))) {
        trimmed(stripe.id());
      }
    }
  }

  /** Whether a block of a stripe is to have several replicas; the namesystem's lock is held. */
  private boolean isReplicated(Stripe stripe) {
    return stripe.blockIds().stream()
        .map(id -> ReplicaView.stored(host.blocks(), id))
        .anyMatch(block -> block.isPresent() && block.get().getReplication() > 1);
  }

  /** The home that is to keep its replica of a block. */
  Optional<String> awaitedAt(long block) {
    return Optional.ofNullable(homes.get(block)).map(Home::node);
  }

  /**
   * Those of some blocks that have a home, by the UUID of its node; ones that are trimmed meanwhile
   * may be among them.
   *
   * @param blocks those of the file, with those that only snapshots of it have
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

  /** Those of some blocks that have a home, once: a snapshot of a truncated file repeats them. */
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

  /** A stripe is published, or will not be. */
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

  /** Whether the file of a staged stripe is not where it was. */
  boolean isGone(Staged stripe) throws IOException {
    return host.reading("braidStaged", () -> host.inode(stripe.path()) == null);
  }

  /** The staged stripe that a block belongs to. */
  @Nullable String stagedWith(long block) {
    return stagedBlocks.get(block);
  }

  Map<String, Staged> staged() {
    return Map.copyOf(staged);
  }
}
