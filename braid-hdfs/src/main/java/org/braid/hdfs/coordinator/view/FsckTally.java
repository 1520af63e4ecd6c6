package org.braid.hdfs.coordinator.view;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.braid.code.ErasureCode;
import org.braid.code.derive.ParityCopies;
import org.braid.hdfs.api.FsckReport;
import org.braid.hdfs.api.FsckReport.BlockState;
import org.braid.hdfs.api.FsckReport.FileState;
import org.braid.hdfs.api.FsckReport.State;
import org.braid.hdfs.api.FsckReport.StorageState;
import org.braid.hdfs.api.SpilledList;
import org.braid.hdfs.coordinator.session.BadReplicas;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.hdfs.coordinator.session.Members;
import org.braid.hdfs.coordinator.session.StripeMap;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.MemberStatus;
import org.braid.hdfs.stripe.StoragePolicy;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.hdfs.stripe.Stripe;
import org.braid.hdfs.stripe.StripeStatus;

/**
 * Collects the findings about files and stripes, which are added page by page. Keeps only findings,
 * many of them in a file.
 */
final class FsckTally {
  /**
   * Most files that only snapshots have and whose blocks are collected; more are listed in parts.
   */
  static final int MOST_IN_SNAPSHOTS = 10_000;

  /** Most parity files whose problem is named. */
  static final int MOST_UNREADABLE = 10_000;

  private final String path;
  private final ClusterState state;
  private final Spares spares = new Spares();
  private final List<FileState> files = new SpilledList<>();
  private final List<String> orphans = new SpilledList<>();
  private final List<StorageState> storage = new SpilledList<>();
  private final List<String> unprotected = new SpilledList<>();
  private final Set<Long> elsewhere = new HashSet<>();
  private final Set<Long> unneeded = new HashSet<>();
  private final Map<String, String> unreadable = new TreeMap<>();
  private final Map<Long, InSnapshots> inSnapshots = new LinkedHashMap<>();
  private int looked;
  private int healthy;

  /** The blocks in stripes of a deleted file that a snapshot still has. */
  private static final class InSnapshots {
    private final String path;
    private final Set<Long> blocks = new HashSet<>();
    private final List<BlockState> findings = new ArrayList<>();

    InSnapshots(String path) {
      this.path = path;
    }
  }

  /**
   * Starts without findings.
   *
   * @param path the path that is checked
   */
  FsckTally(String path, ClusterState state) {
    this.path = path;
    this.state = state;
  }

  /** The number of files so far. */
  int files() {
    return looked;
  }

  /** Adds files, with the stripes of their blocks. */
  void addFiles(List<StoredFile> page, List<StripeStatus> stripes) {
    StripeMap map = StripeMap.of(stripes);
    page.forEach(file -> addFile(file, map));
  }

  /** Adds a file, with the stripes of its blocks. */
  void addFile(StoredFile file, StripeMap stripes) {
    looked++;
    FileState found = state(file, stripes);
    if (found.converted() || found.state() != State.HEALTHY) {
      files.add(found);
    } else {
      healthy++;
      if (file.hasOneReplica()) {
        unprotected.add(file.path());
      }
    }
    addStorage(
        file.path(),
        file.storage(),
        file.blocks().stream().filter(stripes::holds).filter(b -> b.isElsewhere(file.storage())));
  }

  private void addStorage(String file, StoragePolicy policy, Stream<BlockStatus> blocks) {
    int count = (int) blocks.count();
    if (count > 0) {
      storage.add(new StorageState(file, policy.type(), count));
    }
  }

  /** Adds the storage findings of the parity of stripes. A stripe may be added several times. */
  void addParity(List<StripeStatus> page) {
    for (StripeStatus status : page) {
      List<MemberStatus> away = status.isNeeded() ? elsewhere(status) : List.of();
      if (!away.isEmpty() && elsewhere.add(status.parityInode())) {
        addStorage(
            status.parityPath(), away.get(0).storage(), away.stream().map(MemberStatus::status));
      }
    }
  }

  private static List<MemberStatus> elsewhere(StripeStatus status) {
    if (!status.stripe().isSupported()) {
      return List.of();
    }
    return status.members().stream()
        .skip(status.stripe().code().k())
        .filter(member -> !member.gone() && member.status().isElsewhere(member.storage()))
        .toList();
  }

  /** Adds a file whose stripes are sound. */
  void addSound(String file, int blocks) {
    looked++;
    files.add(new FileState(file, State.HEALTHY, true, blocks, List.of(), false));
  }

  /**
   * Adds healthy files in no stripe.
   *
   * @param single paths of files of which HDFS keeps one replica
   */
  void addReplicated(int sound, List<String> single) {
    looked += sound;
    healthy += sound;
    unprotected.addAll(single);
  }

  /**
   * Adds the facts of stripes that their files do not contain. A stripe may be added several times.
   */
  void addStripes(List<StripeStatus> page) {
    for (StripeStatus status : page) {
      status.stripe().problem().ifPresent(why -> addUnreadable(status.parityPath(), why));
      status.members().stream()
          .filter(member -> member.onlyInSnapshots() && !member.reencoded())
          .filter(member -> BraidPaths.isBelow(member.path(), path))
          .forEach(member -> addInSnapshots(member, status));
    }
  }

  /**
   * Adds stripes that nothing needs and that are not claimed. A stripe may be added several times.
   */
  void addUnneeded(List<StripeStatus> page) {
    for (StripeStatus status : page) {
      if (unneeded.add(status.parityInode())) {
        addOrphan(status.parityPath());
      }
    }
  }

  private void addInSnapshots(MemberStatus member, StripeStatus stripe) {
    if (inSnapshots.size() == MOST_IN_SNAPSHOTS && !inSnapshots.containsKey(member.inode())) {
      endSnapshots();
    }
    InSnapshots file =
        inSnapshots.computeIfAbsent(member.inode(), inode -> new InSnapshots(member.path()));
    if (file.blocks.add(member.status().block().id())) {
      BlockState found = inStripe(file.blocks.size() - 1, member.status(), stripe);
      if (found.state() != State.HEALTHY) {
        file.findings.add(found);
      }
    }
  }

  private void endSnapshots() {
    for (InSnapshots file : inSnapshots.values()) {
      files.add(
          new FileState(
              file.path, worst(file.findings), true, file.blocks.size(), file.findings, true));
    }
    inSnapshots.clear();
  }

  /** Adds a parity file or a staged leftover that protects nothing. */
  void addOrphan(String orphan) {
    orphans.add(orphan);
  }

  /** Adds a parity file whose description cannot be used, with the reason. */
  void addUnreadable(String parity, String problem) {
    if (unreadable.size() < MOST_UNREADABLE) {
      unreadable.putIfAbsent(parity, problem);
    }
  }

  /** The report of all findings. */
  FsckReport report() {
    endSnapshots();
    return new FsckReport(files, orphans, unreadable, healthy, storage, unprotected);
  }

  private FileState state(StoredFile file, StripeMap stripes) {
    boolean converted = file.blocks().stream().anyMatch(stripes::holds);
    List<BlockState> findings = new ArrayList<>();
    for (int i = 0; i < file.blocks().size(); i++) {
      BlockStatus block = file.blocks().get(i);
      StripeStatus status = stripes.of(block);
      BlockState found =
          status != null ? inStripe(i, block, status) : alone(i, block, file, converted);
      if (found.state() != State.HEALTHY) {
        findings.add(found);
      }
    }
    return new FileState(
        file.path(), worst(findings), converted, file.blocks().size(), findings, false);
  }

  private static State worst(List<BlockState> findings) {
    return findings.stream().map(BlockState::state).max(State::compareTo).orElse(State.HEALTHY);
  }

  private BlockState alone(int index, BlockStatus block, StoredFile file, boolean converted) {
    String name = block.block().name();
    if (!block.complete()) {
      // Its writer's business: the NameNode knows its replicas when it is closed.
      return new BlockState(index, name, "", State.HEALTHY, -1, "");
    }
    if (state.readable(block).length == 0 && state.readableByClients(block).length == 0) {
      String why =
          "none of its "
              + block.replicas().size()
              + " replicas can be read (replication "
              + file.replication()
              + ") and it is in no stripe"
              + state.silentNodes();
      return new BlockState(index, name, "", State.LOST, -1, why);
    }
    if (converted && file.replication() == 1) {
      String why =
          "it was written or changed after encoding, so that nothing protects its one replica:"
              + " run braid convert again";
      return new BlockState(index, name, "", State.DEGRADED, -1, why);
    }
    return new BlockState(index, name, "", State.HEALTHY, -1, "");
  }

  private BlockState inStripe(int index, BlockStatus block, StripeStatus status) {
    Stripe stripe = status.stripe();
    if (!stripe.isSupported()) {
      return inUnsupported(index, block, stripe);
    }
    ErasureCode code = stripe.code();
    Members members = Members.of(status, state, new BadReplicas());
    int spare = spares.of(code, members);
    boolean readable = state.readable(block).length > 0;
    int[] plain = readable ? new int[0] : state.readableByClients(block);
    State found;
    if (plain.length > 0) {
      found = State.DEGRADED;
    } else if (readable) {
      boolean whole = !members.damaged() && members.gone().isEmpty();
      // Parity that is kept for a snapshot says nothing of a file that is replicated again.
      boolean replicated =
          stripe.positionOf(block.block()).stream().anyMatch(i -> status.member(i).isReplicated());
      found = whole || replicated ? State.HEALTHY : State.DEGRADED;
    } else {
      OptionalInt position = stripe.positionOf(block.block());
      boolean determined = position.isPresent() && members.determined(code, position.getAsInt());
      found = determined ? State.REPAIRABLE : State.LOST;
    }
    return new BlockState(
        index,
        block.block().name(),
        stripe.id(),
        found,
        Math.max(0, spare),
        why(code, members, readable, plain.length == 0 ? "" : state.name(plain[0]))
            + (found == State.LOST ? state.silentNodes() : ""));
  }

  /**
   * The state of a block in an unsupported stripe, which is a finding itself: healthy as long as
   * the block can be read.
   */
  private BlockState inUnsupported(int index, BlockStatus block, Stripe stripe) {
    boolean readable =
        state.readable(block).length > 0 || state.readableByClients(block).length > 0;
    return new BlockState(
        index,
        block.block().name(),
        stripe.id(),
        readable ? State.HEALTHY : State.LOST,
        -1,
        readable
            ? ""
            : "no copy of it can be read; its stripe: "
                + stripe.problem().orElse("")
                + state.silentNodes());
  }

  private static String why(
      ErasureCode code, Members members, boolean readable, String withoutPlugin) {
    List<String> parts = new ArrayList<>();
    if (!withoutPlugin.isEmpty()) {
      parts.add(
          "its copy is at "
              + withoutPlugin
              + ", which runs without Braid's plugin: clients read it, repairs cannot");
    } else if (!readable) {
      parts.add("no copy of it can be read");
    }
    if (!members.lost().isEmpty() || !members.gone().isEmpty()) {
      parts.add(Members.supply(code, members.available().size()));
    }
    if (!members.lost().isEmpty()) {
      parts.add(members.whereLost());
    }
    parts.addAll(copies(code, members));
    if (!members.gone().isEmpty()) {
      parts.add(
          members.gone().size() + " were deleted or changed since encoding: run braid repair");
    }
    members.misplaced().values().stream().distinct().forEach(parts::add);
    return String.join("; ", parts);
  }

  /** Parities with some but not all copies readable. */
  private static List<String> copies(ErasureCode code, Members members) {
    List<String> parts = new ArrayList<>();
    if (code instanceof ParityCopies copied) {
      int parities = ParityCopies.original(code).m();
      for (int parity = 0; parity < parities; parity++) {
        List<Integer> copies = copied.copiesOf(code.k() + parity);
        long there = copies.stream().filter(members.available()::contains).count();
        if (there > 0 && there < copies.size()) {
          parts.add(
              "parity %d has %d of %d copies: run braid repair"
                  .formatted(parity, there, copies.size()));
        }
      }
    }
    return parts;
  }
}
