package org.braid.hdfs.coordinator.view;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.braid.code.ErasureCode;
import org.braid.code.derive.ParityCopies;
import org.braid.code.derive.Tolerance;
import org.braid.hdfs.api.FsckReport;
import org.braid.hdfs.api.FsckReport.BlockState;
import org.braid.hdfs.api.FsckReport.FileState;
import org.braid.hdfs.api.FsckReport.State;
import org.braid.hdfs.coordinator.session.BadReplicas;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.hdfs.coordinator.session.Members;
import org.braid.hdfs.coordinator.session.NameNodeCalls;
import org.braid.hdfs.coordinator.session.StripeMap;
import org.braid.hdfs.dispatch.Workers;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.MemberStatus;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.hdfs.stripe.Stripe;
import org.braid.hdfs.stripe.StripeStatus;

/** Says of files what is readable, degraded, repairable and lost, and why. Changes nothing. */
public final class Fsck {
  private final NameNodeCalls nameNode;
  private final Workers workers;
  private final org.apache.hadoop.hdfs.DistributedFileSystem files;

  private final Map<String, Integer> spares = new HashMap<>();

  public Fsck(
      NameNodeCalls nameNode, Workers workers, org.apache.hadoop.hdfs.DistributedFileSystem files) {
    this.nameNode = nameNode;
    this.workers = workers;
    this.files = files;
  }

  public FsckReport check(String path) throws IOException {
    ClusterState state = ClusterState.take(nameNode, workers);
    List<StoredFile> asked = nameNode.files(path);
    List<StripeStatus> stripes =
        path.equals("/") ? nameNode.stripes() : nameNode.stripesOf(blockIds(asked));
    StripeMap map = StripeMap.of(stripes);
    List<FileState> states = new ArrayList<>();
    int healthy = 0;
    for (StoredFile file : asked) {
      FileState found = state(file, map, state, false);
      if (found.converted() || found.state() != State.HEALTHY) {
        states.add(found);
      } else {
        healthy++;
      }
    }
    for (StoredFile file : onlyInSnapshots(path, asked, stripes)) {
      states.add(state(file, map, state, true));
    }
    return new FsckReport(
        states, orphans(stripes), Overview.unreadable(nameNode.totals()), healthy);
  }

  /** What stripes hold of files that were deleted while a snapshot has them. */
  private List<StoredFile> onlyInSnapshots(
      String path, List<StoredFile> listed, List<StripeStatus> stripes) throws IOException {
    Set<Long> known = listed.stream().map(StoredFile::inode).collect(Collectors.toSet());
    Map<Long, List<MemberStatus>> others = new LinkedHashMap<>();
    for (StripeStatus status : stripes) {
      for (MemberStatus member : status.members().subList(0, status.stripe().code().k())) {
        if (!member.gone()
            && !known.contains(member.inode())
            && BraidPaths.isBelow(member.path(), path)) {
          others.computeIfAbsent(member.inode(), inode -> new ArrayList<>()).add(member);
        }
      }
    }
    List<StoredFile> found = new ArrayList<>();
    for (List<MemberStatus> members : others.values()) {
      MemberStatus first = members.get(0);
      if (!exists(first.inode())) {
        found.add(
            new StoredFile(
                first.path(),
                first.inode(),
                0,
                0,
                first.fileReplication(),
                members.stream().map(MemberStatus::status).toList(),
                List.of(),
                "",
                Optional.empty(),
                StoredFile.Usage.UNKNOWN));
      }
    }
    return found;
  }

  /** Whether a file is in the namespace: one that was renamed while files were listed is. */
  private boolean exists(long inode) throws IOException {
    try {
      return files.getFileStatus(new Path(BraidPaths.inode(inode))) instanceof HdfsFileStatus found
          && found.getFileId() == inode;
    } catch (FileNotFoundException e) {
      return false;
    }
  }

  private static List<Long> blockIds(List<StoredFile> files) {
    return files.stream().flatMap(f -> f.blocks().stream()).map(b -> b.block().id()).toList();
  }

  private FileState state(
      StoredFile file, StripeMap stripes, ClusterState state, boolean onlyInSnapshots) {
    State worst = State.HEALTHY;
    boolean converted = file.blocks().stream().anyMatch(stripes::holds);
    List<BlockState> findings = new ArrayList<>();
    for (int i = 0; i < file.blocks().size(); i++) {
      BlockStatus block = file.blocks().get(i);
      StripeStatus status = stripes.of(block);
      BlockState found =
          status != null
              ? inStripe(i, block, status, state)
              : alone(i, block, file, converted, state);
      if (found.state() != State.HEALTHY) {
        findings.add(found);
        worst = found.state().compareTo(worst) > 0 ? found.state() : worst;
      }
    }
    return new FileState(
        file.path(), worst, converted, file.blocks().size(), findings, onlyInSnapshots);
  }

  private static BlockState alone(
      int index, BlockStatus block, StoredFile file, boolean converted, ClusterState state) {
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
              + ") and it is in no stripe";
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

  private BlockState inStripe(
      int index, BlockStatus block, StripeStatus status, ClusterState state) {
    Stripe stripe = status.stripe();
    ErasureCode code = stripe.code();
    Members members = Members.of(status, state, new BadReplicas());
    List<Integer> missing = new ArrayList<>(members.lost());
    missing.addAll(members.gone());
    int spare = spare(code, missing);
    boolean readable = state.readable(block).length > 0;
    int[] plain = readable ? new int[0] : state.readableByClients(block);
    State found;
    if (plain.length > 0) {
      found = State.DEGRADED;
    } else if (readable) {
      found = missing.isEmpty() && members.misplaced().isEmpty() ? State.HEALTHY : State.DEGRADED;
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
        why(code, members, readable, plain.length == 0 ? "" : state.name(plain[0])));
  }

  /** Blocks of the stripe that can still be lost, whichever they are. */
  private int spare(ErasureCode code, List<Integer> missing) {
    return spares.computeIfAbsent(
        code.name() + missing, key -> Tolerance.spare(code, missing, Tolerance.counted(code)));
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
    parts.addAll(copies(code, members));
    if (!members.gone().isEmpty()) {
      parts.add(
          members.gone().size() + " were deleted or changed since encoding: run braid repair");
    }
    members.misplaced().values().stream().distinct().forEach(parts::add);
    return String.join("; ", parts);
  }

  /** Parities of which some copies, but not all, can be read. */
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

  /** Parity that protects nothing, and what a stopped conversion left. */
  private List<String> orphans(List<StripeStatus> stripes) throws IOException {
    List<String> found = new ArrayList<>();
    for (StripeStatus status : stripes) {
      if (!status.isNeeded()) {
        found.add(status.parityPath());
      }
    }
    Path staging = new Path(BraidPaths.STAGING);
    if (files.exists(staging)) {
      for (FileStatus leftover : files.listStatus(staging)) {
        found.add(leftover.getPath().toUri().getPath());
      }
    }
    return found;
  }
}
