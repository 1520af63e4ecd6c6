package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.StreamSupport;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.braid.hdfs.metrics.DaemonMetrics;
import org.braid.hdfs.proto.BraidProtos.FileProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.hdfs.proto.BraidProtos.StripesRequestProto;
import org.braid.hdfs.proto.BraidProtos.StripesResponseProto;
import org.braid.hdfs.rpc.BraidNameNodePB;
import org.braid.hdfs.rpc.Rpc;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.function.Executable;

/**
 * Attacks on what the NameNode signs for readers of stripes. Eve's are files that take each other's
 * place while it looks, and files that are in snapshots as they were; a superuser's are files that
 * HDFS lets no superuser read.
 */
final class ReaderAttacksTest {
  private static final FsPermission ALL = new FsPermission((short) 0777);
  private static final FsPermission NOBODY_ELSE = new FsPermission((short) 0600);

  @RegisterExtension
  static final SharedNameNode fixture =
      SharedNameNode.of(
          4,
          4,
          Map.of(
              "dfs.block.access.token.enable",
              "true",
              "dfs.namenode.audit.loggers",
              SwappingAudit.class.getName()));

  private static BraidNameNodePB stub;
  private static DistributedFileSystem fs;

  @BeforeAll
  static void prepare() throws Exception {
    UserGroupInformation eve =
        UserGroupInformation.createUserForTesting("eve", new String[] {"users"});
    stub = fixture.stub(eve);
    fs = fixture.fileSystem(eve);
  }

  @AfterAll
  static void stop() throws Exception {
    SwappingAudit.DONE.set(null);
    Rpc.stop(stub);
    fs.close();
  }

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }

  private static long block(FileProto file, int number) {
    return file.getBlocks(number).getBlock().getId();
  }

  /** How many stripes with tokens eve is told as the reader of a file's block. */
  private static int signed(String file, long block) throws IOException {
    try {
      return signed(stub, file, block);
    } catch (AccessControlException | FileNotFoundException e) {
      return 0;
    }
  }

  private static int signed(BraidNameNodePB as, String file, long block) throws IOException {
    StripesRequestProto request =
        StripesRequestProto.newBuilder()
            .setReadingPath(file)
            .setWithTokens(true)
            .addBlockIds(block)
            .build();
    return Rpc.call(() -> as.stripes(null, request)).getStripesCount();
  }

  /**
   * In a directory that all may write eve puts another's file in the place of hers by one rename,
   * again and again: the NameNode may look at the path at any moment.
   */
  @Test
  void noTokensAreSignedForAFileThatTakesThePlaceOfOnesOwn() throws Exception {
    fixture.fs.mkdirs(path("/shared"));
    fixture.fs.setPermission(path("/shared"), ALL);
    FileProto secret = fixture.write("/shared/secret", 2, 3);
    fixture.publish("rs-2-1", secret.getBlocksList(), made -> made);
    fixture.fs.setPermission(path("/shared/secret"), NOBODY_ELSE);
    fs.create(path("/shared/own")).close();
    assertThrows(AccessControlException.class, () -> fs.open(path("/shared/secret")));
    AtomicBoolean over = new AtomicBoolean();
    ExecutorService thread = Executors.newSingleThreadExecutor();
    Future<Integer> swaps =
        thread.submit(
            () -> {
              int swapped = 0;
              for (; !over.get(); swapped++) {
                fs.rename(path("/shared/secret"), path("/shared/own"), Options.Rename.OVERWRITE);
                fs.rename(path("/shared/own"), path("/shared/secret"));
                fs.create(path("/shared/own")).close();
              }
              return swapped;
            });
    try {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(3);
      while (System.nanoTime() < end) {
        assertEquals(0, signed("/shared/own", block(secret, 0)));
      }
    } finally {
      over.set(true);
      thread.shutdown();
    }
    assertTrue(swaps.get(20, TimeUnit.SECONDS) > 0);
  }

  /** Eve may write what a snapshot has by its rights of then; HDFS has nobody write there. */
  @Test
  void noFileIsPreparedForAWriteToASnapshotOfIt() throws Exception {
    fixture.encode("/snapped/f");
    fixture.fs.setPermission(path("/snapped/f"), new FsPermission((short) 0666));
    fixture.fs.allowSnapshot(path("/snapped"));
    fixture.fs.createSnapshot(path("/snapped"), "s");
    fixture.fs.setPermission(path("/snapped/f"), NOBODY_ELSE);
    long before = prepared();
    org.apache.hadoop.fs.Path snapped = path("/snapped/.snapshot/s/f");
    assertThrows(IOException.class, () -> fs.append(snapped).close());
    // No copies are made for it, so that nobody waits for them, either.
    IOException refusal =
        assertTimeout(
            Duration.ofSeconds(30),
            () -> assertThrows(IOException.class, () -> fs.truncate(snapped, 1)));
    assertTrue(refusal.getMessage().contains("read-only snapshot"), refusal.getMessage());
    assertEquals(before, prepared(), "files prepared for writes");
  }

  /**
   * Sets the replication of a file of eve's, and puts another's file where it was as soon as HDFS
   * has done that. Both have blocks with one replica, and their replication back after a write.
   */
  @Test
  void noFileGetsReplicasThatTakesThePlaceOfOneWhoseReplicationIsSet() throws Exception {
    fixture.fs.mkdirs(path("/set"));
    fixture.fs.setPermission(path("/set"), ALL);
    List<Long> encoded = new ArrayList<>();
    for (String name : List.of("/set/secret", "/set/own")) {
      encoded.add(fixture.encode(name).getMembers(0).getBlock().getId());
      try (FSDataOutputStream out = fixture.fs.append(path(name))) {
        out.write(new byte[100]);
      }
      assertEquals(3, fixture.fs.getFileStatus(path(name)).getReplication());
    }
    fixture.fs.setPermission(path("/set/secret"), NOBODY_ELSE);
    fixture.fs.setOwner(path("/set/own"), "eve", "users");
    ExecutorService thread = Executors.newSingleThreadExecutor();
    AtomicBoolean swapped = new AtomicBoolean();
    Runnable swap =
        () -> {
          Future<Boolean> renamed =
              thread.submit(
                  () ->
                      fs.rename(path("/set/own"), path("/set/away"))
                          && fs.rename(path("/set/secret"), path("/set/own")));
          try {
            swapped.set(renamed.get(10, TimeUnit.SECONDS));
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        };
    SwappingAudit.DONE.set(new SwappingAudit.Swap("setReplication", "/set/own", swap));
    try {
      assertTrue(fs.setReplication(path("/set/own"), (short) 3));
    } finally {
      SwappingAudit.DONE.set(null);
      thread.shutdown();
    }
    assertTrue(swapped.get(), "the files were not swapped");
    assertEquals(1, fixture.block(encoded.get(0)).getReplication(), "another's");
    assertEquals(3, fixture.block(encoded.get(1)).getReplication(), "eve's");
  }

  /** HDFS asks who joins a file to another one for its content and for its directory. */
  @Test
  void whatMayBeJoinedWithoutBeingWrittenToIsPreparedForThat() throws Exception {
    fixture.fs.mkdirs(path("/joined"));
    fixture.fs.setPermission(path("/joined"), ALL);
    for (String name : List.of("/joined/target", "/joined/source")) {
      fixture.encode(name);
    }
    fixture.fs.setOwner(path("/joined/target"), "eve", "users");
    assertThrows(
        AccessControlException.class, () -> fs.append(path("/joined/source")).close(), "no right");
    long before = prepared();
    fs.concat(path("/joined/target"), new org.apache.hadoop.fs.Path[] {path("/joined/source")});
    assertEquals(before + 2, prepared(), "files prepared for writes");
    FileProto joined = fixture.file("/joined/target");
    assertEquals(4, joined.getBlocksCount());
    assertEquals(3, fixture.fs.getFileStatus(path("/joined/target")).getReplication());
    for (int i = 0; i < 4; i++) {
      assertEquals(1, fixture.block(block(joined, i)).getReplication(), "block " + i);
    }
  }

  /** Does something, in a thread of its own, when HDFS refuses eve a call on a file. */
  private static void whenRefused(String file, Executable action, Executable attack)
      throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      Runnable act =
          () -> {
            Future<?> done =
                thread.submit(
                    () -> {
                      try {
                        action.execute();
                      } catch (Throwable e) {
                        throw new IllegalStateException(e);
                      }
                    });
            try {
              done.get(10, TimeUnit.SECONDS);
            } catch (Exception e) {
              throw new IllegalStateException(e);
            }
          };
      SwappingAudit.REFUSED.set(new SwappingAudit.Swap("append", file, act));
      assertThrows(AccessControlException.class, attack);
    } finally {
      SwappingAudit.REFUSED.set(null);
      thread.shutdown();
    }
  }

  private static long prepared() {
    MetricsSource source = DefaultMetricsSystem.instance().getSource(DaemonMetrics.SOURCE);
    MetricsCollectorImpl collected = new MetricsCollectorImpl();
    source.getMetrics(collected, true);
    return collected.getRecords().stream()
        .flatMap(record -> StreamSupport.stream(record.metrics().spliterator(), false))
        .filter(metric -> metric.name().equals("WritesPrepared"))
        .mapToLong(metric -> metric.value().longValue())
        .findFirst()
        .orElseThrow();
  }

  /** A snapshot has the file as all could read it; what was added since, nobody else may read. */
  @Test
  void whoReadsASnapshotGetsNoTokensForWhatCameLater() throws Exception {
    fixture.write("/kept/f", 1, 3);
    fixture.fs.allowSnapshot(path("/kept"));
    fixture.fs.createSnapshot(path("/kept"), "s");
    try (FSDataOutputStream out =
        fixture.fs.append(
            path("/kept/f"), EnumSet.of(CreateFlag.APPEND, CreateFlag.NEW_BLOCK), 4096, null)) {
      out.write(new byte[1000]);
    }
    FileProto grown = fixture.file("/kept/f");
    assertEquals(2, grown.getBlocksCount());
    fixture.publish("rs-2-1", grown.getBlocksList(), made -> made);
    String before = "/kept/.snapshot/s/f";
    assertEquals(1, signed(before, block(grown, 0)), "all may read all of it");
    fixture.fs.setPermission(path("/kept/f"), NOBODY_ELSE);
    assertThrows(AccessControlException.class, () -> fs.open(path("/kept/f")));
    assertDoesNotThrow(() -> fs.open(path(before)).close());
    assertEquals(0, signed(before, block(grown, 1)), "what HDFS does not name of the snapshot");
    assertEquals(0, signed(before, block(grown, 0)), "its stripe has what came later");
  }

  private static void hideFromSuperusers(String file) throws IOException {
    fixture.fs.setXAttr(path(file), "security.hdfs.unreadable.by.superuser", null);
  }

  private static String refusal(Executable call) {
    return String.valueOf(
        assertThrows(AccessControlException.class, call).getMessage().lines().findFirst());
  }

  /** The mark is HDFS's own, for files that their owners alone may read. */
  @Test
  void superusersGetNoTokensForAFileThatHdfsHidesFromThem() throws Exception {
    FileProto hidden = fixture.write("/hidden/f", 2, 3);
    fixture.publish("rs-2-1", hidden.getBlocksList(), made -> made);
    fixture.fs.setOwner(path("/hidden/f"), "eve", "users");
    assertEquals(1, signed(fixture.stub, "/hidden/f", block(hidden, 0)));
    hideFromSuperusers("/hidden/f");
    String hdfss = refusal(() -> fixture.fs.open(path("/hidden/f")));
    assertEquals(
        hdfss, refusal(() -> signed(fixture.stub, "/hidden/f", block(hidden, 0))), "as HDFS does");
    assertEquals(1, signed("/hidden/f", block(hidden, 0)), "its owner reads it");
  }

  /** The other blocks of a stripe and its parity give those of the file, whoever has them. */
  @Test
  void superusersGetNoTokensForStripesWithAFileThatHdfsHidesFromThem() throws Exception {
    FileProto plain = fixture.write("/beside/plain", 1, 3);
    FileProto hidden = fixture.write("/beside/hidden", 1, 3);
    fixture.publish("rs-2-1", List.of(plain.getBlocks(0), hidden.getBlocks(0)), made -> made);
    assertEquals(1, signed(fixture.stub, "/beside/plain", block(plain, 0)));
    hideFromSuperusers("/beside/hidden");
    assertEquals(0, signed(fixture.stub, "/beside/plain", block(plain, 0)));
    assertEquals(1, signed("/beside/plain", block(plain, 0)), "others may read both");
    // Deleted, it is in a snapshot still.
    fixture.fs.allowSnapshot(path("/beside"));
    fixture.fs.createSnapshot(path("/beside"), "s");
    fixture.fs.delete(path("/beside/hidden"), false);
    assertEquals(0, signed(fixture.stub, "/beside/plain", block(plain, 0)));
  }

  /** A coordinator lists stripes of all files, and needs no tokens. */
  @Test
  void superusersGetNoTokensWithoutNamingTheFileThatTheyRead() throws Exception {
    FileProto file = fixture.write("/listed/f", 2, 3);
    fixture.publish("rs-2-1", file.getBlocksList(), made -> made);
    StripesRequestProto listing =
        StripesRequestProto.newBuilder().addBlockIds(block(file, 0)).build();
    assertEquals(1, Rpc.call(() -> fixture.stub.stripes(null, listing)).getStripesCount());
    StripesRequestProto signing = listing.toBuilder().setWithTokens(true).build();
    String refusal = refusal(() -> Rpc.call(() -> fixture.stub.stripes(null, signing)));
    assertTrue(refusal.contains("must name the file that it reads"), refusal);
  }

  /** A snapshot has what nobody else may read; what is left of the file all may read. */
  @Test
  void whoReadsAFileGetsNoTokensForWhatWasCutOff() throws Exception {
    FileProto file = fixture.write("/cut/f", 2, 3);
    fixture.publish("rs-2-1", file.getBlocksList(), made -> made);
    fixture.fs.setPermission(path("/cut/f"), NOBODY_ELSE);
    fixture.fs.allowSnapshot(path("/cut"));
    fixture.fs.createSnapshot(path("/cut"), "s");
    assertTrue(fixture.fs.truncate(path("/cut/f"), NameNodeFixture.BLOCK));
    fixture.fs.setPermission(path("/cut/f"), new FsPermission((short) 0644));
    assertDoesNotThrow(() -> fs.open(path("/cut/f")).close());
    assertThrows(AccessControlException.class, () -> fs.open(path("/cut/.snapshot/s/f")));
    assertEquals(0, signed("/cut/f", block(file, 0)), "its stripe has what was cut off");
  }

  /** Who may read a file by its name need not know what others are called. */
  @Test
  void noNamesAreToldOfADirectoryThatTheReaderMayNotList() throws Exception {
    FileProto known = fixture.write("/box/known", 1, 3);
    FileProto hidden = fixture.write("/box/hidden-7f3a", 1, 3);
    fixture.publish("rs-2-1", List.of(known.getBlocks(0), hidden.getBlocks(0)), made -> made);
    fixture.fs.setPermission(path("/box"), new FsPermission((short) 0711));
    assertThrows(AccessControlException.class, () -> fs.listStatus(path("/box")));
    assertDoesNotThrow(() -> fs.open(path("/box/known")).close());
    StripesRequestProto request =
        StripesRequestProto.newBuilder()
            .setReadingPath("/box/known")
            .setWithTokens(true)
            .addBlockIds(block(known, 0))
            .build();
    StripesResponseProto told = Rpc.call(() -> stub.stripes(null, request));
    assertEquals(1, told.getStripesCount());
    assertFalse(told.toString().contains("hidden-7f3a"), told.toString());
  }

  /**
   * HDFS refuses at once what eve may not write. Whoever is held instead knows that the file is
   * converted, and how long it is.
   */
  @Test
  void nobodyIsHeldWhoTruncatesWhatHeMayNotWrite() throws Exception {
    fixture.encode("/closed/f");
    fixture.fs.setPermission(path("/closed"), NOBODY_ELSE);
    long since = System.nanoTime();
    assertThrows(AccessControlException.class, () -> fs.truncate(path("/closed/f"), 1));
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - since);
    assertTrue(seconds < 20, seconds + " s");
  }

  /** A call that HDFS refuses keeps nobody from converting the file. */
  @Test
  void whoMayNotWriteAFileKeepsNobodyFromConvertingIt() throws Exception {
    FileProto file = fixture.write("/kept-back/f", 2, 3);
    StripeProto stripe = fixture.publish("rs-2-1", file.getBlocksList(), made -> made);
    AtomicReference<List<String>> refusals = new AtomicReference<>(List.of("not asked"));
    whenRefused(
        "/kept-back/f",
        () -> refusals.set(fixture.trim(stripe.getId())),
        () -> fs.append(path("/kept-back/f")).close());
    assertEquals(List.of(), refusals.get());
  }
}
