package org.braid.hdfs.coordinator.convert;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.braid.hdfs.api.ConvertPreview;
import org.braid.hdfs.api.ConvertReport.Skipped;
import org.braid.hdfs.api.ConvertRequest;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.coordinator.convert.Grouper.Group;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.hdfs.coordinator.session.FileBatches;
import org.braid.hdfs.coordinator.session.PagePrefetch;
import org.braid.hdfs.coordinator.session.Session;
import org.braid.hdfs.coordinator.session.StripeMap;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.MemberStatus;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.plan.cost.Network;
import org.braid.plan.throttle.LinkBytes;
import org.braid.plan.throttle.Throttle;
import org.jspecify.annotations.Nullable;

/** Adds up the planned work of a conversion, batch by batch. */
final class Preview {
  private final ConvertRequest request;
  private final Network.Rates rates;
  private final LinkBytes links = new LinkBytes();
  private final ReadLoads loads = new ReadLoads();
  private final StoredBytes before = new StoredBytes();
  private final StoredBytes after = new StoredBytes();
  private final ThinnedParity thinned = new ThinnedParity();
  private int begun;
  private int files;
  private int already;
  private int stripes;
  private int dataBlocks;
  private int parityBlocks;
  private int relocated;
  private long parityBytes;
  private long copiedBytes;

  /** A batch of files whose stripes are to be laid. */
  record Planned(List<StoredFile> asked, BatchPlan work, LeftAlone leftAlone) {}

  /** The files of a batch that are not converted. Thread-safe. */
  static final class LeftAlone implements BatchPlan.LeftAlone {
    private final Map<String, Skipped> byPath = new TreeMap<>();

    @Override
    public synchronized void skip(String path, String cause, String reason) {
      byPath.put(path, new Skipped(path, cause, reason));
    }

    synchronized boolean has(String path) {
      return byPath.containsKey(path);
    }

    synchronized void clear() {
      byPath.clear();
    }

    /** In the order of their paths. */
    synchronized List<Skipped> files() {
      return List.copyOf(byPath.values());
    }
  }

  /**
   * Parity of stripes that lost data blocks. It is deleted when no block relies on it any more;
   * such blocks may be in files of other batches, or in files that are left alone.
   */
  static final class ThinnedParity {
    /** By their parity files. */
    private final Map<Long, Relying> stripes = new HashMap<>();

    /**
     * The blocks that rely on a stripe.
     *
     * @param inSnapshots those that rely on it only while a snapshot has them with one replica
     */
    private record Relying(long parityBytes, Set<Long> blocks, Set<Long> inSnapshots) {
      static Relying of(StripeStatus status) {
        return new Relying(
            status.stripe().parityBytes(),
            blocks(status, member -> !member.isReplicated() || member.oneInSnapshots()),
            blocks(status, MemberStatus::oneInSnapshots));
      }

      private static Set<Long> blocks(StripeStatus status, Predicate<MemberStatus> which) {
        return status.data().stream()
            .filter(which)
            .map(member -> member.status().block().id())
            .collect(Collectors.toCollection(HashSet::new));
      }
    }

    /**
     * Adds stripes; a stripe is added with each batch that has blocks of it.
     *
     * @param encoded files whose blocks are encoded anew
     * @param raised files whose blocks are replicated again, but not for snapshots
     */
    void add(
        Collection<StripeStatus> batch,
        Collection<StoredFile> encoded,
        Collection<StoredFile> raised) {
      Set<Long> anew = blocks(encoded);
      Set<Long> copied = blocks(raised);
      for (StripeStatus status : batch) {
        Relying relying =
            stripes.computeIfAbsent(status.parityInode(), inode -> Relying.of(status));
        relying.blocks().removeAll(anew);
        relying
            .blocks()
            .removeIf(block -> copied.contains(block) && !relying.inSnapshots().contains(block));
      }
    }

    private static Set<Long> blocks(Collection<StoredFile> files) {
      Set<Long> blocks = new HashSet<>();
      files.forEach(file -> file.blocks().forEach(block -> blocks.add(block.block().id())));
      return blocks;
    }

    /** Bytes of the parity that stays. */
    long bytes() {
      return stripes.values().stream()
          .filter(stripe -> !stripe.blocks().isEmpty())
          .mapToLong(Relying::parityBytes)
          .sum();
    }
  }

  /** Plans the groups of the files of a batch. */
  interface Plan {
    BatchPlan of(
        List<StoredFile> asked, StripeMap known, ClusterState state, BatchPlan.LeftAlone leftAlone)
        throws RefusedException;
  }

  /** Lists and groups batch by batch; an empty one is the last. */
  static final class Planning implements PagePrefetch.Question<Optional<Planned>> {
    private final Session session;
    private final FileBatches batches;
    private final Plan plan;

    Planning(Session session, FileBatches batches, Plan plan) {
      this.session = session;
      this.batches = batches;
      this.plan = plan;
    }

    @Override
    public Optional<Planned> ask(Optional<Optional<Planned>> last) throws IOException {
      Optional<FileBatches.Batch> batch = batches.next();
      if (batch.isEmpty()) {
        return Optional.empty();
      }
      List<StoredFile> asked = batch.get().files();
      LeftAlone leftAlone = new LeftAlone();
      StripeMap known = StripeMap.of(session.nameNode(), asked);
      BatchPlan work = plan.of(asked, known, session.cluster().recent(), leftAlone);
      return Optional.of(new Planned(asked, work, leftAlone));
    }

    @Override
    public boolean isMore(Optional<Planned> batch) {
      return batch.isPresent();
    }

    /** The next batch; empty after the last one. */
    Optional<Planned> next(PagePrefetch<Optional<Planned>> ahead) throws IOException {
      return ahead.next().flatMap(batch -> batch);
    }
  }

  /** Nothing yet. */
  Preview(ConvertRequest request, Network.Rates rates) {
    this.request = request;
    this.rates = rates;
  }

  /** Hears of a stripe that cannot be planned. */
  interface Failed {
    void at(Group group, Exception e);
  }

  /** The planned read loads of nodes, with another batch of files. */
  ReadLoads loads(List<StoredFile> asked) {
    loads.begin(asked);
    return loads;
  }

  /**
   * Adds a batch.
   *
   * @param writer plans stripes by {@link #loads}
   * @param asked all files of the batch
   * @param random the random numbers of a stripe, by its number over all batches
   */
  void add(
      BatchPlan work,
      StripeEncoder writer,
      List<StoredFile> asked,
      IntFunction<SplittableRandom> random,
      Failed failed,
      Progress progress) {
    Set<Long> inodes = work.files().stream().map(StoredFile::inode).collect(Collectors.toSet());
    int total = begun + work.unfinished().size() + work.groups().size();
    begun += work.unfinished().size();
    for (Group group : work.groups()) {
      try {
        add(group, writer.predict(group, random.apply(begun++).split(), links));
      } catch (IOException | RuntimeException e) {
        failed.at(group, e);
        group.files().forEach(file -> inodes.remove(file.inode()));
      }
      progress.at("planning", begun, total);
    }
    StripeMap whole = work.known().whole();
    Map<Boolean, List<StoredFile>> converted =
        work.files().stream()
            .filter(file -> inodes.contains(file.inode()))
            .collect(Collectors.partitioningBy(file -> BatchPlan.isDone(file, whole)));
    add(
        converted.getOrDefault(false, List.of()),
        converted.getOrDefault(true, List.of()),
        asked.stream().filter(file -> !inodes.contains(file.inode())).toList(),
        work.known());
    List<StoredFile> raised = new ArrayList<>();
    for (StoredFile file : work.refused()) {
      int wanted = work.known().replicationWithoutParity(file);
      if (wanted > file.replication()) {
        copiedBytes += lackingBytes(file, wanted);
        raised.add(file);
      }
    }
    thinned.add(work.thinned(), converted.getOrDefault(false, List.of()), raised);
  }

  /** Bytes of the replicas that a file lacks. */
  private static long lackingBytes(StoredFile file, int replication) {
    return file.blocks().stream()
        .mapToLong(
            block -> block.block().length() * Math.max(0, replication - block.replicas().size()))
        .sum();
  }

  /** Bytes of all replicas and all parity after the conversion. */
  private long stored() {
    return after.bytes() + thinned.bytes() + copiedBytes + parityBytes;
  }

  private void add(Group group, PredictedStripe stripe) {
    stripes++;
    dataBlocks += group.blocks().size();
    parityBlocks += stripe.parityBlocks();
    parityBytes += stripe.parityBlocks() * stripe.length();
    relocated += stripe.relocated();
  }

  private void add(
      List<StoredFile> converted,
      List<StoredFile> convertedBefore,
      List<StoredFile> leftAlone,
      StripeMap known) {
    List<StoredFile> now = new ArrayList<>(leftAlone);
    now.addAll(convertedBefore);
    List<StoredFile> then = new ArrayList<>(now);
    now.addAll(converted);
    before.add(now, known);
    converted.forEach(file -> then.add(withSingles(file)));
    after.add(then, known.whole());
    files += converted.size();
    already += convertedBefore.size();
  }

  /** The file with one replica of each block. */
  private static StoredFile withSingles(StoredFile file) {
    List<BlockStatus> blocks =
        file.blocks().stream()
            .map(
                block ->
                    new BlockStatus(
                        block.block(),
                        block.replicas().subList(0, Math.min(1, block.replicas().size())),
                        1,
                        block.complete(),
                        block.going()))
            .toList();
    return new StoredFile(
        file.path(),
        file.inode(),
        file.length(),
        file.blockSize(),
        1,
        blocks,
        file.obstacles(),
        file.readers(),
        file.across(),
        file.usage(),
        file.storage());
  }

  /**
   * The report of a dry run.
   *
   * @param throttle what work in the background may use
   * @param state of the cluster now
   */
  ConvertPreview report(List<Skipped> leftAlone, Throttle throttle, ClusterState state) {
    long stored = stored();
    return new ConvertPreview(
        request.code(),
        files,
        already,
        stripes,
        dataBlocks,
        parityBlocks,
        relocated,
        before.bytes(),
        stored,
        before.bytes() - stored,
        parityBytes,
        links.crossRack(),
        seconds(throttle),
        state.rollingUpgrade(),
        leftAlone);
  }

  /** The planned work of a conversion that is carried out. */
  ConvertPreview.Expected expected(Throttle throttle) {
    return new ConvertPreview.Expected(
        stripes, relocated, before.bytes() - stored(), links.crossRack(), seconds(throttle));
  }

  private @Nullable Double seconds(Throttle throttle) {
    double seconds = links.seconds(rates, throttle);
    return Double.isInfinite(seconds) ? null : Double.valueOf(seconds);
  }
}
