package org.braid.hdfs.coordinator.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.braid.hdfs.api.ConvertReport.Skipped;
import org.braid.hdfs.dispatch.Workers;
import org.braid.hdfs.proto.BraidProtos.SyncRequestProto;
import org.braid.hdfs.proto.BraidProtos.SyncResponseProto;
import org.braid.hdfs.rpc.BraidWorkerPB;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.time.FakeTicker;
import org.junit.jupiter.api.Test;

/** Which parity goes, and how what stays is named. */
final class ParitySweepTest {
  private final FakeCluster cluster = new FakeCluster(5, 2);
  private final FakeTicker ticker = new FakeTicker();
  private final Claims claims = new Claims(Claims.Shared.alone(), ticker);

  /** Blocks of which no copy can be forced to disk. */
  private final Set<Long> onNoDisk = new HashSet<>();

  /** Stripes that others are at work on, and those that the NameNode keeps. */
  private final Set<String> used = new HashSet<>();

  private final Set<String> kept = new HashSet<>();
  private final Set<String> swept = new HashSet<>();

  /** Looks after which all storages have reported. */
  private int owingForLooks;

  /** The stripes that each sweep named. */
  private final List<Set<String>> named = new ArrayList<>();

  /** Blocks whose pins were taken back. */
  private final Set<Long> unpinned = new HashSet<>();

  /** After so many claimed sweeps the NameNode keeps nothing. */
  private int refusals;

  private int looks;
  private int claimed;

  private String replicated() {
    String id = cluster.stripe("rs-3-2", 1, "r0n0", "r1n0", "r2n0", "r3n0", "r4n0");
    for (int i = 0; i < 3; i++) {
      cluster.raise(cluster.block(id, i), 3);
      cluster.copy(cluster.block(id, i), "r%dn1".formatted(i));
    }
    return id;
  }

  private final class Fakes implements ParitySweep.Calls {
    @Override
    public List<StripeStatus> stripesOf(Collection<Long> blocks) {
      if (++looks == owingForLooks) {
        cluster.report();
        kept.clear();
      }
      return cluster.stripes().stream()
          .filter(status -> !swept.contains(status.stripe().id()))
          .filter(status -> status.stripe().blockIds().stream().anyMatch(blocks::contains))
          .toList();
    }

    @Override
    public int sweep(Collection<String> replicated) {
      named.add(Set.copyOf(replicated));
      List<String> free =
          replicated.stream().filter(id -> !used.contains(id) && !kept.contains(id)).toList();
      swept.addAll(free);
      return free.size();
    }

    @Override
    public int sweepClaimed(String stripe) {
      if (--refusals == 0) {
        kept.remove(stripe);
      }
      return kept.contains(stripe) || !swept.add(stripe) ? 0 : 1;
    }

    @Override
    public DiskCopies force(List<BlockStatus> blocks) throws IOException {
      try (Workers workers = new Workers(node -> stub(), 1000)) {
        return DiskCopies.force(workers, cluster.look(), blocks);
      }
    }

    @Override
    public Optional<Claims.Claim> claim(String stripe, long millis) throws IOException {
      claimed++;
      return used.contains(stripe) ? Optional.empty() : claims.take(stripe, millis);
    }

    @Override
    public void unpin(List<BlockStatus> blocks) {
      blocks.forEach(block -> unpinned.add(block.block().id()));
    }
  }

  private BraidWorkerPB stub() {
    return (BraidWorkerPB)
        Proxy.newProxyInstance(
            ParitySweepTest.class.getClassLoader(),
            new Class<?>[] {BraidWorkerPB.class, Closeable.class},
            (proxy, method, arguments) ->
                method.getName().equals("sync") ? sync((SyncRequestProto) arguments[1]) : null);
  }

  private SyncResponseProto sync(SyncRequestProto request) throws ServiceException {
    SyncResponseProto.Builder answer = SyncResponseProto.newBuilder();
    request.getBlocksList().stream()
        .map(block -> block.getId())
        .filter(onNoDisk::contains)
        .forEach(answer::addFailed);
    return answer.build();
  }

  private ParitySweep.Swept sweep() throws IOException {
    return new ParitySweep(new Fakes(), ticker).sweep(cluster.stripes());
  }

  private static List<String> causes(ParitySweep.Swept found) {
    return found.left().stream().map(ParitySweep.Left::cause).toList();
  }

  @Test
  void parityOfReplicatedBlocksGoes() throws Exception {
    String id = replicated();
    ParitySweep.Swept found = sweep();
    assertEquals(1, found.deleted());
    assertEquals(Set.of(id), swept);
    assertEquals(List.of(), found.parity());
  }

  @Test
  void blocksOfWhichParityWentMayBeMovedAgain() throws Exception {
    String first = replicated();
    String second = replicated();
    kept.add(second);
    sweep();
    assertEquals(Set.of(first), swept);
    assertEquals(
        Set.of(cluster.block(first, 0), cluster.block(first, 1), cluster.block(first, 2)),
        unpinned);
  }

  @Test
  void parityOfBlocksWhoseCopiesAreNotOnDiskIsNamed() throws Exception {
    String id = replicated();
    long block = cluster.block(id, 1);
    onNoDisk.add(block);
    ParitySweep.Swept found = sweep();
    assertEquals(0, found.deleted());
    assertEquals(
        List.of(
            new Skipped(
                cluster.status(id).parityPath(),
                "NOT_ON_DISK",
                "of %s only 0 copies are on disk for sure"
                    .formatted(cluster.status(id).member(1).status().block().name()))),
        found.parity());
  }

  /** Their parity is needed still, whatever is on disk. */
  @Test
  void parityOfBlocksThatAreNotReplicatedIsNotNamed() throws Exception {
    String id = cluster.stripe("rs-3-2", 1, "r0n0", "r1n0", "r2n0", "r3n0", "r4n0");
    cluster.raise(cluster.block(id, 0), 3);
    onNoDisk.add(cluster.block(id, 0));
    assertEquals(List.of(), sweep().left());
  }

  /** Beside a file that is restored stands one that is encoded, of a stripe that lost a third. */
  @Test
  void parityOfBlocksThatAreOnlyGivenCopiesIsNotNamed() throws Exception {
    String id = replicated();
    cluster.raise(cluster.block(id, 1), 1);
    cluster.protect(cluster.block(id, 1), 3);
    kept.add(id);
    assertEquals(List.of(), sweep().left());
  }

  @Test
  void parityThatOthersAreAtWorkOnOrThatTheNameNodeKeepsIsNamed() throws Exception {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      ids.add(replicated());
    }
    used.add(ids.get(0));
    kept.add(ids.get(1));
    ParitySweep.Swept found = sweep();
    assertEquals(1, found.deleted());
    assertEquals(List.of("IN_USE", "KEPT"), causes(found));
    assertEquals(
        ids.subList(0, 2), found.left().stream().map(left -> left.stripe().stripe().id()).toList());
  }

  /** It counts no copy of a node that does not answer it for a moment. */
  @Test
  void parityThatTheNameNodeKeepsForAMomentGoes() throws Exception {
    String id = replicated();
    kept.add(id);
    refusals = 3;
    ParitySweep.Swept found = sweep();
    assertEquals(List.of(), found.left());
    assertEquals(1, found.deleted());
    assertEquals(Set.of(id), swept);
  }

  /** A node that it does not hear for long may have copies of thousands of stripes. */
  @Test
  void parityThatTheNameNodeKeepsIsAskedForNoLongerThanAMomentInAll() throws Exception {
    for (int i = 0; i < 20; i++) {
      kept.add(replicated());
    }
    long before = ticker.millis();
    assertEquals(20, sweep().left().size());
    assertEquals(3000, ticker.millis() - before);
  }

  /** The NameNode keeps parity of blocks whose copies it has not heard of since a failover. */
  private String owing(String... nodes) {
    String id = replicated();
    List.of(nodes).forEach(cluster::owe);
    kept.add(id);
    return id;
  }

  /** It has asked for their reports, as it does before it drops replicas. */
  @Test
  void storagesThatOweAReportAreWaitedFor() throws Exception {
    Set<String> ids = Set.of(owing("r0n0", "r0n1", "r1n0"), owing("r0n0"));
    owingForLooks = 5;
    ParitySweep.Swept found = sweep();
    assertEquals(List.of(), found.left());
    assertEquals(2, found.deleted());
    assertEquals(ids, swept);
    assertEquals(0, claimed, "all at once, and others may work on the stripes meanwhile");
  }

  @Test
  void parityOfCopiesThatAreNotReportedInTimeIsNamedAsSuch() throws Exception {
    String id = owing("r1n1", "r2n0");
    long before = ticker.millis();
    ParitySweep.Swept found = sweep();
    assertEquals(1, named.size(), "nodes are asked for their reports once");
    assertEquals(
        List.of(
            new Skipped(
                cluster.status(id).parityPath(),
                "AWAITED",
                "of %s only 1 copies are on storages that have reported all their blocks since a failover or start of the NameNode, which has asked for reports"
                    .formatted(cluster.status(id).member(1).status().block().name()))),
        found.parity());
    assertEquals(10_000, ticker.millis() - before);
    assertEquals(0, claimed);
  }

  /** A third copy is one too many to be waited for. */
  @Test
  void whereTwoCopiesAreReportedNothingIsWaitedFor() throws Exception {
    String id = replicated();
    cluster.copy(cluster.block(id, 0), "r4n1");
    cluster.owe("r4n1");
    used.add(id);
    long before = ticker.millis();
    assertEquals(List.of("IN_USE"), causes(sweep()));
    assertEquals(before, ticker.millis());
  }

  /** They go with their nodes, or are away for now: it is no failure that parity stays for them. */
  @Test
  void parityOfCopiesOnNodesThatAreNotInServiceIsNamedAsSuch() throws Exception {
    String id = replicated();
    cluster.retire("r1n1");
    ParitySweep.Swept found = sweep();
    assertEquals(
        List.of(
            new Skipped(
                cluster.status(id).parityPath(),
                "AWAITED",
                "of %s only 1 copies are on nodes in service, 1 on nodes that are in maintenance or being decommissioned"
                    .formatted(cluster.status(id).member(1).status().block().name()))),
        found.parity());
    cluster.silence("r1n1");
    assertEquals(List.of("AWAITED"), causes(sweep()));
    onNoDisk.add(cluster.block(id, 1));
    assertEquals(List.of("NOT_ON_DISK"), causes(sweep()));
  }
}
