package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.namenode.stripes.StripeDescriptions;
import org.braid.hdfs.namenode.stripes.StripeIndex;
import org.braid.hdfs.namenode.stripes.Trimmer;
import org.braid.hdfs.proto.BraidProtos.FileProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.Stripe;
import org.braid.hdfs.testing.Descriptions;
import org.braid.testing.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What changes the namespace behind the index's back. */
final class StripeIndexTest {
  private static final String NEW = "0123456789abcdef".repeat(2);

  @RegisterExtension static final SharedNameNode fixture = SharedNameNode.of(4, 4, Map.of());

  private static org.apache.hadoop.fs.Path parity(String id) {
    return new org.apache.hadoop.fs.Path(BraidPaths.stripePath(id));
  }

  private static StripeIndex index() {
    return fixture.plugin().index();
  }

  private static long block(FileProto file, int index) {
    return file.getBlocks(index).getBlock().getId();
  }

  private static Set<String> holding(long block) throws Exception {
    return fixture.stripes(block).stream()
        .map(status -> status.getStripe().getId())
        .collect(Collectors.toSet());
  }

  private static StripeProto over(StripeProto stripe, String id, FileProto file) {
    StripeProto.Builder other = stripe.toBuilder().setId(id);
    for (int i = 0; i < file.getBlocksCount(); i++) {
      other.setMembers(i, stripe.getMembers(i).toBuilder().setBlock(file.getBlocks(i).getBlock()));
    }
    return other.build();
  }

  private static void describe(StripeProto stripe, String id) throws Exception {
    Descriptions.set(fixture.cluster.nameNode(), parity(id), stripe.toByteArray());
  }

  /** In the NameNode's process, where nothing guards parity. */
  private static void delete(String id) throws Exception {
    assertTrue(fixture.cluster.nameNode().getRpcServer().delete(BraidPaths.stripePath(id), false));
  }

  @Test
  void aFileThatIsDescribedByHandIsAStripe() throws Exception {
    FileProto model = fixture.write("/model", 2, 3);
    FileProto file = fixture.write("/by-hand", 2, 3);
    StripeProto stripe = fixture.publish("rs-2-1", model.getBlocksList(), x -> x);
    fixture.fs.create(parity(NEW)).close();
    int before = fixture.stripes().size();
    assertEquals(Set.of(), holding(block(file, 0)));
    describe(over(stripe, NEW, file), NEW);
    assertEquals(before + 1, fixture.stripes().size());
    assertEquals(Set.of(NEW), holding(block(file, 0)));
    delete(NEW);
    assertEquals(Set.of(), holding(block(file, 0)));
  }

  /** Between the write to the edit log and what the index is told, it may be deleted. */
  @Test
  void nothingIsAwaitedOfAStripeThatWasDeletedWhileItWasDescribed() throws Exception {
    FileProto file = fixture.write("/deleted-meanwhile", 2, 3);
    String id = fixture.publish("rs-2-1", file.getBlocksList(), x -> x).getId();
    StripeIndex.Entry seen = index().published(id).orElseThrow();
    index().described(seen.path(), seen.stripe());
    assertTrue(index().awaitedAt(block(file, 0)).isPresent());
    delete(id);
    index().described(seen.path(), seen.stripe());
    assertEquals(Optional.empty(), index().awaitedAt(block(file, 0)));
  }

  /** A description is written to the edit log, which may take seconds. */
  @Test
  void whoAsksForAStripeDoesNotWaitForWhoDescribesOne() throws Exception {
    FileProto file = fixture.write("/described", 2, 3);
    String id = fixture.publish("rs-2-1", file.getBlocksList(), x -> x).getId();
    StripeIndex.Entry seen = index().published(id).orElseThrow();
    Stripe moved = seen.stripe().withHomes(Map.of(0, seen.stripe().member(2).home()));
    CountDownLatch describing = new CountDownLatch(1);
    CountDownLatch asked = new CountDownLatch(1);
    Trimmer.Fence held =
        () -> {
          describing.countDown();
          assertDoesNotThrow(() -> asked.await(60, TimeUnit.SECONDS));
        };
    ExecutorService thread = Executors.newFixedThreadPool(2);
    try {
      Future<Boolean> written =
          thread.submit(
              () ->
                  StripeDescriptions.write(
                      fixture.plugin().host(),
                      index(),
                      seen.path(),
                      moved,
                      Optional.of(seen.stripe()),
                      new StripeDescriptions.Writer(false, held)));
      assertTrue(describing.await(30, TimeUnit.SECONDS));
      Future<Optional<StripeIndex.Entry>> found = thread.submit(() -> index().published(id));
      assertEquals(Optional.of(seen), found.get(30, TimeUnit.SECONDS));
      asked.countDown();
      assertTrue(written.get(30, TimeUnit.SECONDS));
      assertEquals(moved, index().published(id).orElseThrow().stripe());
    } finally {
      asked.countDown();
      thread.shutdownNow();
    }
  }

  /** The directory says when a file came or went. */
  @Test
  void aDirectoryThatChangedIsLookedAtForABlockThatIsNotKnown() throws Exception {
    FileProto model = fixture.write("/model2", 2, 3);
    FileProto file = fixture.write("/renamed", 2, 3);
    StripeProto stripe = fixture.publish("rs-2-1", model.getBlocksList(), x -> x);
    String id = "ab".repeat(16);
    var elsewhere = new org.apache.hadoop.fs.Path("/elsewhere");
    fixture.fs.create(elsewhere).close();
    fixture.fs.setXAttr(elsewhere, BraidPaths.STRIPE_XATTR, over(stripe, id, file).toByteArray());
    assertEquals(Set.of(), holding(block(file, 1)));
    fixture.fs.mkdirs(parity(id).getParent());
    fixture.cluster.nameNode().getRpcServer().rename("/elsewhere", BraidPaths.stripePath(id));
    Await.until("the stripe to be found", () -> holding(block(file, 1)).equals(Set.of(id)));
    delete(id);
  }

  @Test
  void aDescriptionThatIsChangedByHandCounts() throws Exception {
    FileProto file = fixture.write("/before", 2, 3);
    FileProto other = fixture.write("/after", 2, 3);
    StripeProto stripe = fixture.publish("rs-2-1", file.getBlocksList(), x -> x);
    assertEquals(Set.of(stripe.getId()), holding(block(file, 0)));
    describe(over(stripe, stripe.getId(), other), stripe.getId());
    assertEquals(Set.of(), holding(block(file, 0)));
    fixture.stripes();
    assertEquals(Set.of(stripe.getId()), holding(block(other, 0)));
    describe(stripe, stripe.getId());
    fixture.stripes();
    assertEquals(Set.of(stripe.getId()), holding(block(file, 0)));
    assertEquals(Set.of(), holding(block(other, 0)));
  }

  /** Nobody lists stripes; directories are compared one after the other. */
  @Test
  void aDescriptionThatIsChangedByHandIsFoundByItself() throws Exception {
    FileProto file = fixture.write("/described", 2, 3);
    FileProto other = fixture.write("/described-later", 2, 3);
    StripeProto stripe = fixture.publish("rs-2-1", file.getBlocksList(), x -> x);
    describe(over(stripe, stripe.getId(), other), stripe.getId());
    Await.until(
        "the stripe to be known by its new blocks",
        () -> index().known(block(other, 0)).isPresent());
    describe(stripe, stripe.getId());
    Await.until(
        "the stripe to be known by its blocks again",
        () -> index().known(block(file, 0)).isPresent());
  }

  /** Or each command would read the directories of all that is converted meanwhile. */
  @Test
  void whatIsPublishedHereHasNoDirectoryLookedAt() throws Exception {
    int stripes = 12;
    for (int i = 0; i < stripes; i++) {
      FileProto file = fixture.write("/published" + i, 2, 3);
      String id = fixture.publish("rs-2-1", file.getBlocksList(), x -> x).getId();
      if (i % 3 == 0) {
        fixture.fs.delete(new org.apache.hadoop.fs.Path("/published" + i), false);
        fixture.sweep();
        assertFalse(fixture.fs.exists(parity(id)));
      }
    }
    int known = index().size();
    long before = looks();
    index().catchUp();
    // A directory a second is compared by itself.
    assertTrue(looks() - before <= stripes / 2, looks() - before + " looks");
    assertEquals(known, index().size());
  }

  /** As on a standby when parity is swept in all directories. */
  @Test
  void stripesThatGoInManyDirectoriesAreForgottenAtOnce() throws Exception {
    List<String> gone = new ArrayList<>();
    List<String> left = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      FileProto file = fixture.write("/swept" + i, 2, 3);
      String id = fixture.publish("rs-2-1", file.getBlocksList(), x -> x).getId();
      (i % 3 == 0 ? left : gone).add(id);
    }
    int size = index().size();
    for (String id : gone) {
      delete(id);
    }
    index().catchUp();
    assertEquals(size - gone.size(), index().size());
    for (String id : left) {
      assertTrue(index().published(id).isPresent());
    }
    assertEquals(size - gone.size(), index().size());
  }

  private static long looks() {
    var holds = fixture.plugin().host().holds().until().get("braidParity");
    return holds == null ? 0 : holds.count();
  }

  @Test
  void theEarlierStripeOfABlockCountsWhenTheLaterOneIsGone() throws Exception {
    FileProto file = fixture.write("/twice", 2, 3);
    String earlier = fixture.publish("rs-2-1", file.getBlocksList(), x -> x).getId();
    String later = fixture.publish("rs-2-1", file.getBlocksList(), x -> x).getId();
    assertEquals(Set.of(later), holding(block(file, 0)));
    delete(later);
    assertFalse(ids(index().known(block(file, 0)).stream().toList()).contains(later));
    Await.until(
        "the earlier stripe to be known", () -> holding(block(file, 0)).equals(Set.of(earlier)));
    String last = fixture.publish("rs-2-1", file.getBlocksList(), x -> x).getId();
    delete(earlier);
    assertEquals(Set.of(last), holding(block(file, 0)));
    delete(last);
    Await.until("no stripe to be known", () -> holding(block(file, 0)).isEmpty());
  }

  private static Set<String> ids(List<StripeIndex.Entry> entries) {
    return entries.stream().map(entry -> entry.stripe().id()).collect(Collectors.toSet());
  }

  /** As HDFS's own tools might do after somebody has moved Braid's directory away and back. */
  @Test
  void aDirectoryOfStripesMayGoAndComeBack() throws Exception {
    FileProto file = fixture.write("/moved", 2, 3);
    String id = fixture.publish("rs-2-1", file.getBlocksList(), x -> x).getId();
    String parent = parity(id).getParent().toUri().getPath();
    var calls = fixture.cluster.nameNode().getRpcServer();
    int size = index().size();
    assertTrue(calls.rename(parent, "/away"));
    Await.until("no stripe to be known", () -> holding(block(file, 0)).isEmpty());
    Await.until("fewer stripes", () -> index().size() < size);
    assertTrue(calls.rename("/away", parent));
    Await.until("the stripe to be known", () -> holding(block(file, 0)).equals(Set.of(id)));
    assertEquals(size, index().size());
  }

  /** As on a standby, where nobody tells what is swept; a snapshot's files keep their parents. */
  @Test
  void parityThatOnlySnapshotsHaveIsForgotten() throws Exception {
    FileProto file = fixture.write("/kept", 2, 3);
    String id = fixture.publish("rs-2-1", file.getBlocksList(), x -> x).getId();
    int size = index().size();
    var root = new org.apache.hadoop.fs.Path("/");
    fixture.fs.allowSnapshot(root);
    fixture.fs.createSnapshot(root, "s");
    try {
      delete(id);
      index().catchUp();
      assertEquals(size - 1, index().size());
      assertTrue(index().number(block(file, 0)) < 0);
    } finally {
      fixture.fs.deleteSnapshot(root, "s");
      fixture.fs.disallowSnapshot(root);
    }
  }

  private static long counted() {
    var total = index().totals().now().get("rs-2-1");
    return total == null ? 0 : total.stripes();
  }

  /** By a NameNode without Braid, where nothing guards parity. */
  @Test
  void parityThatGoesUnderAnotherNameIsForgotten() throws Exception {
    FileProto file = fixture.write("/named", 2, 3);
    long before = counted();
    String id = fixture.publish("rs-2-1", file.getBlocksList(), x -> x).getId();
    int size = index().size();
    var calls = fixture.cluster.nameNode().getRpcServer();
    assertTrue(calls.rename(BraidPaths.stripePath(id), "/x"));
    index().catchUp();
    assertEquals(size - 1, index().size());
    assertTrue(index().number(block(file, 0)) < 0);
    assertEquals(before, counted());
    assertTrue(calls.rename("/x", BraidPaths.stripePath(id)));
    Await.until("the stripe to be known", () -> holding(block(file, 0)).equals(Set.of(id)));
    assertEquals(size, index().size());
  }

  /** All other stripes are listed as before. */
  @Test
  void aFileAmongParityThatIsNotNamedLikeAStripeIsNone() throws Exception {
    FileProto file = fixture.write("/misnamed", 2, 3);
    StripeProto stripe = fixture.publish("rs-2-1", file.getBlocksList(), x -> x);
    var path = parity(stripe.getId()).suffix(".bak");
    fixture.fs.create(path).close();
    int size = fixture.stripes().size();
    Descriptions.set(
        fixture.cluster.nameNode(),
        path,
        stripe.toBuilder().setId(path.getName()).build().toByteArray());
    try {
      assertEquals(size, fixture.stripes().size());
    } finally {
      fixture.fs.delete(path, false);
    }
  }

  private static StripeProto ofEarlierBlock(StripeProto stripe) {
    StripeProto.Builder other = stripe.toBuilder();
    var block = other.getMembersBuilder(0).getBlockBuilder();
    block.setGeneration(block.getGeneration() - 1);
    return other.build();
  }

  /** As one that was cut has: nothing says what its replicas are to be, and HDFS hears of them. */
  @Test
  void aClientIsBelievedOfABlockThatHasChangedSinceItWasEncoded() throws Exception {
    FileProto file = fixture.write("/changed", 2, 3);
    fixture.publish("rs-2-1", file.getBlocksList(), StripeIndexTest::ofEarlierBlock);
    assertTrue(index().number(block(file, 0)) >= 0);
    LocatedBlock first = fixture.fs.getClient().getLocatedBlocks("/changed", 0).get(0);
    DatanodeInfo[] one = {first.getLocations()[0]};
    LocatedBlock[] called = {new LocatedBlock(first.getBlock(), one)};
    // HDFS forgets the bad copy when another node has made a good one, which none is told to now.
    fixture.heartbeats(false);
    try {
      fixture.fs.getClient().reportBadBlocks(called);
      List<ReplicaView> replicas = ReplicaView.of(fixture.blocks(), fixture.block(block(file, 0)));
      assertEquals(1, replicas.stream().filter(ReplicaView::corrupt).count());
    } finally {
      fixture.heartbeats(true);
    }
  }
}
