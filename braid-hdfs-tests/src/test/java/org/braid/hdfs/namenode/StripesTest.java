package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.braid.hdfs.proto.BraidProtos.AcquireRequestProto;
import org.braid.hdfs.proto.BraidProtos.BlockStatusProto;
import org.braid.hdfs.proto.BraidProtos.FileProto;
import org.braid.hdfs.proto.BraidProtos.FilesRequestProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.hdfs.proto.BraidProtos.StripeStatusProto;
import org.braid.hdfs.proto.BraidProtos.StripesRequestProto;
import org.braid.hdfs.proto.BraidProtos.StripesResponseProto;
import org.braid.hdfs.rpc.BlockTokens;
import org.braid.hdfs.rpc.BraidNameNodePB;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.rpc.Rpc;
import org.braid.testing.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class StripesTest {
  @RegisterExtension
  static final SharedNameNode fixture =
      SharedNameNode.of(4, 4, Map.of("dfs.block.access.token.enable", "true"));

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }

  private static Set<String> ids(List<StripeStatusProto> stripes) {
    return stripes.stream().map(s -> s.getStripe().getId()).collect(Collectors.toSet());
  }

  private static long id(BlockStatusProto block) {
    return block.getBlock().getId();
  }

  @Test
  void findsStripesByBlockAlsoAfterARestart() throws Exception {
    FileProto file = fixture.write("/found", 4, 3);
    StripeProto one = fixture.publish("rs-2-1", file.getBlocksList().subList(0, 2), x -> x);
    StripeProto other = fixture.publish("rs-2-1", file.getBlocksList().subList(2, 4), x -> x);
    for (int round = 0; round < 2; round++) {
      assertEquals(
          Set.of(one.getId()), ids(fixture.stripes(id(file.getBlocks(0)), id(file.getBlocks(1)))));
      assertEquals(
          Set.of(other.getId()), ids(fixture.stripes(other.getMembers(2).getBlock().getId())));
      assertEquals(Set.of(), ids(fixture.stripes(1)));
      assertTrue(ids(fixture.stripes()).containsAll(Set.of(one.getId(), other.getId())));
      StripeStatusProto status = fixture.stripes(id(file.getBlocks(0))).get(0);
      assertEquals(one, status.getStripe());
      assertEquals(BraidPaths.stripePath(one.getId()), status.getParityPath());
      assertEquals("/found", status.getMembers(1).getPath());
      assertEquals(file.getInode(), status.getMembers(1).getInode());
      assertEquals(status.getParityPath(), status.getMembers(2).getPath());
      assertFalse(status.getMembers(2).getGone());
      if (round == 0) {
        fixture.restart();
      }
    }
  }

  @Test
  void toldWhatIsGone() throws Exception {
    FileProto file = fixture.write("/gone", 2, 3);
    FileProto cut = fixture.write("/cut", 1, 3);
    StripeProto stripe =
        fixture.publish(
            "rs-3-1", List.of(file.getBlocks(0), file.getBlocks(1), cut.getBlocks(0)), x -> x);
    long first = id(file.getBlocks(0));
    fixture.fs.truncate(path("/cut"), 100);
    Await.until("HDFS to have cut the block", () -> fixture.fs.isFileClosed(path("/cut")));
    Await.until(
        "the block that was cut to be gone",
        () ->
            List.of(false, false, true, false)
                .equals(
                    fixture.stripes(first).get(0).getMembersList().stream()
                        .map(m -> m.getGone())
                        .toList()));
    fixture.fs.delete(path("/gone"), false);
    assertEquals(
        List.of(true, true, true, false),
        fixture.stripes(first).get(0).getMembersList().stream().map(m -> m.getGone()).toList());
    assertTrue(fixture.sweep().contains(BraidPaths.stripePath(stripe.getId())));
    assertEquals(List.of(), fixture.stripes(first));
  }

  /** Also before the stripe is trimmed: what was encoded stays as it is. */
  @Test
  void appendsBeginANewBlockOnceTheStripeIsPublished() throws Exception {
    FileProto file = fixture.write("/appended", 2, 3);
    fixture.publish("rs-2-1", file.getBlocksList(), x -> x);
    try (FSDataOutputStream out = fixture.fs.append(path("/appended"))) {
      out.write(1);
    }
    assertEquals(3, fixture.file("/appended").getBlocksCount());
    assertEquals(file.getBlocks(1).getBlock(), fixture.file("/appended").getBlocks(1).getBlock());
  }

  @Test
  void skipsDescriptionsThatCannotBeRead() throws Exception {
    FileProto file = fixture.write("/kept", 2, 3);
    StripeProto stripe = fixture.publish("rs-2-1", file.getBlocksList(), x -> x);
    String broken = BraidPaths.stripePath("ff".repeat(16));
    fixture.fs.create(path(broken)).close();
    assertTrue(ids(fixture.stripes()).contains(stripe.getId()));
    fixture.fs.setXAttr(
        path(broken),
        BraidPaths.STRIPE_XATTR,
        new byte[] {1, 2, 3},
        EnumSet.of(XAttrSetFlag.CREATE));
    assertTrue(ids(fixture.stripes()).contains(stripe.getId()));
    assertFalse(ids(fixture.stripes()).contains("ff".repeat(16)));
    fixture.fs.delete(path(broken), false);
  }

  @Test
  void pages() throws Exception {
    FileProto file = fixture.write("/paged", 6, 3);
    for (int s = 0; s < 3; s++) {
      fixture.publish("rs-2-1", file.getBlocksList().subList(2 * s, 2 * s + 2), x -> x);
    }
    Set<String> all = ids(fixture.stripes());
    Set<String> paged = new java.util.HashSet<>();
    StripesRequestProto.Builder request = StripesRequestProto.newBuilder().setLimit(2);
    boolean more = true;
    while (more) {
      StripesResponseProto page = Rpc.call(() -> fixture.stub.stripes(null, request.build()));
      assertTrue(page.getStripesCount() <= 2);
      for (StripeStatusProto status : page.getStripesList()) {
        assertTrue(paged.add(status.getStripe().getId()));
        request.setAfter(status.getStripe().getId());
      }
      more = page.getMore();
    }
    assertEquals(all, paged);
  }

  @Test
  void letsReadersAskForTheirOwnBlocksOnly() throws Exception {
    FileProto mine = fixture.write("/mine", 2, 3);
    FileProto other = fixture.write("/other", 2, 3);
    fixture.fs.setPermission(path("/other"), new FsPermission((short) 0600));
    fixture.publish("rs-2-1", mine.getBlocksList(), x -> x);
    fixture.publish("rs-2-1", other.getBlocksList(), x -> x);
    BraidNameNodePB stub = fixture.stub(UserGroupInformation.createRemoteUser("reader"));
    try {
      StripesRequestProto allowed =
          StripesRequestProto.newBuilder()
              .addBlockIds(id(mine.getBlocks(0)))
              .setReadingPath("/mine")
              .setWithTokens(true)
              .build();
      StripeStatusProto status = Rpc.call(() -> stub.stripes(null, allowed)).getStripes(0);
      assertEquals(3, status.getMembersCount());
      for (int i = 0; i < 3; i++) {
        BlockTokenIdentifier token =
            BlockTokens.decode(status.getMembers(i).getToken()).decodeIdentifier();
        assertEquals(status.getStripe().getMembers(i).getBlock().getId(), token.getBlockId());
        assertEquals("reader", token.getUserId());
        assertEquals(EnumSet.of(BlockTokenIdentifier.AccessMode.READ), token.getAccessModes());
      }
      assertDenied(stub, allowed.toBuilder().clearReadingPath().build(), "superuser needed");
      assertDenied(stub, allowed.toBuilder().setReadingPath("/other").build(), "Permission denied");
      assertDenied(
          stub,
          allowed.toBuilder().addBlockIds(id(other.getBlocks(0))).build(),
          "is not a block of /mine");
      assertDenied(stub, allowed.toBuilder().clearBlockIds().build(), "must name the blocks");
      AccessControlException files =
          assertThrows(
              AccessControlException.class,
              () ->
                  Rpc.call(
                      () -> stub.files(null, FilesRequestProto.newBuilder().setPath("/").build())));
      assertTrue(files.getMessage().contains("superuser needed"), files.getMessage());
      AccessControlException lease =
          assertThrows(
              AccessControlException.class,
              () ->
                  Rpc.call(
                      () ->
                          stub.acquire(
                              null, AcquireRequestProto.newBuilder().setHolder("x").build())));
      assertTrue(lease.getMessage().contains("superuser needed"), lease.getMessage());
    } finally {
      Rpc.stop(stub);
    }
  }

  /** Parity and the blocks of one file give those of another one. */
  @Test
  void hidesStripesWithBlocksThatTheReaderMayNotRead() throws Exception {
    FileProto mine = fixture.write("/tenants/mine", 1, 3);
    FileProto theirs = fixture.write("/tenants/theirs", 1, 3);
    fixture.publish("rs-2-1", List.of(mine.getBlocks(0), theirs.getBlocks(0)), x -> x);
    StripesRequestProto asked =
        StripesRequestProto.newBuilder()
            .addBlockIds(id(mine.getBlocks(0)))
            .setReadingPath("/tenants/mine")
            .setWithTokens(true)
            .build();
    BraidNameNodePB stub = fixture.stub(UserGroupInformation.createRemoteUser("reader"));
    try {
      assertEquals(1, Rpc.call(() -> stub.stripes(null, asked)).getStripesCount());
      fixture.fs.setPermission(path("/tenants/theirs"), new FsPermission((short) 0600));
      assertEquals(0, Rpc.call(() -> stub.stripes(null, asked)).getStripesCount());
      assertEquals(1, Rpc.call(() -> fixture.stub.stripes(null, asked)).getStripesCount());
      fixture.fs.setPermission(path("/tenants/theirs"), new FsPermission((short) 0644));
      assertEquals(1, Rpc.call(() -> stub.stripes(null, asked)).getStripesCount());
      // What only a snapshot has is not what stands at its path now.
      fixture.fs.allowSnapshot(path("/tenants"));
      fixture.fs.createSnapshot(path("/tenants"), "s");
      fixture.fs.delete(path("/tenants/theirs"), false);
      fixture.write("/tenants/theirs", 1, 3);
      assertEquals(0, Rpc.call(() -> stub.stripes(null, asked)).getStripesCount());
      fixture.fs.deleteSnapshot(path("/tenants"), "s");
      fixture.fs.disallowSnapshot(path("/tenants"));
      assertEquals(0, Rpc.call(() -> stub.stripes(null, asked)).getStripesCount());
      assertEquals(1, Rpc.call(() -> fixture.stub.stripes(null, asked)).getStripesCount());
    } finally {
      Rpc.stop(stub);
    }
  }

  private static void assertDenied(
      BraidNameNodePB stub, StripesRequestProto request, String reason) {
    AccessControlException denied =
        assertThrows(
            AccessControlException.class, () -> Rpc.call(() -> stub.stripes(null, request)));
    assertTrue(denied.getMessage().contains(reason), denied.getMessage());
  }

  @Test
  void changesNeedTheLeaseAndAnActiveNameNode() throws Exception {
    FileProto file = fixture.write("/fenced", 2, 3);
    StripeProto stripe = fixture.publish("rs-2-1", file.getBlocksList(), x -> x);
    IOException fenced = assertThrows(IOException.class, () -> fixture.putAs("not mine", stripe));
    assertTrue(
        String.valueOf(fenced.getMessage())
            .contains("the coordinator's lease has expired or was taken by test"),
        fenced.getMessage());
    fixture.renew();
    fixture.fs.setSafeMode(SafeModeAction.ENTER);
    try {
      IOException safe =
          assertThrows(IOException.class, () -> fixture.putAs(fixture.lease, stripe));
      assertTrue(String.valueOf(safe.getMessage()).contains("safe mode"), safe.getMessage());
    } finally {
      fixture.fs.setSafeMode(SafeModeAction.LEAVE);
    }
    IOException elsewhere = assertThrows(IOException.class, () -> fixture.put("/fenced", stripe));
    assertTrue(
        String.valueOf(elsewhere.getMessage()).contains("cannot be described at /fenced"),
        elsewhere.getMessage());
  }

  @Test
  void sweepsOnlyWhatNobodyNeeds() throws Exception {
    FileProto file = fixture.write("/swept", 2, 3);
    StripeProto stripe = fixture.publish("rs-2-1", file.getBlocksList(), x -> x);
    String parity = BraidPaths.stripePath(stripe.getId());
    assertFalse(fixture.sweep().contains(parity));
    assertEquals(List.of(), fixture.trim(stripe.getId()));
    assertFalse(fixture.sweep(stripe.getId()).contains(parity), "blocks of one replica need it");
    fixture.fs.setReplication(path("/swept"), (short) 1);
    assertFalse(fixture.sweep(stripe.getId()).contains(parity), "a file of one replica needs it");
    fixture.raise(file.getInode(), 3);
    Await.until(
        "three replicas",
        () ->
            fixture.file("/swept").getBlocksList().stream()
                .allMatch(b -> b.getReplicasCount() == 3));
    assertFalse(fixture.sweep().contains(parity), "not named");
    assertTrue(fixture.sweep(stripe.getId()).contains(parity));
    assertFalse(fixture.fs.exists(path(parity)));
    assertEquals(List.of(), fixture.stripes(id(file.getBlocks(0))));
  }

  /** Without its stripe nobody would know of which block the next one is to be asked for. */
  @Test
  void theLastBlockOfAFileThatWasOpenedForAppendingKeepsItsParity() throws Exception {
    FileProto file = fixture.write("/appended", 2, 3);
    StripeProto stripe = fixture.publish("rs-2-1", file.getBlocksList(), x -> x);
    String parity = BraidPaths.stripePath(stripe.getId());
    try (FSDataOutputStream out = fixture.fs.append(path("/appended"))) {
      assertFalse(fixture.sweep(stripe.getId()).contains(parity));
      out.write(1);
      out.hflush();
      assertTrue(fixture.sweep(stripe.getId()).contains(parity));
    }
    assertEquals(
        2 * NameNodeFixture.BLOCK - 99, fixture.fs.getFileStatus(path("/appended")).getLen());
  }

  @Test
  void sweepsSeveralPathsAndStagedLeftovers() throws Exception {
    String left = BraidPaths.stagingPath("ab".repeat(16), 0, fixture.cluster.uuid(0));
    fixture.fs.create(path(left), true, 4096, (short) 1, NameNodeFixture.BLOCK).close();
    // The clock was wrong when they were staged.
    fixture.fs.setTimes(path(left), Long.MAX_VALUE / 2, -1);
    FileProto file = fixture.write("/several", 4, 3);
    StripeProto one = fixture.publish("rs-2-1", file.getBlocksList().subList(0, 2), x -> x);
    StripeProto other = fixture.publish("rs-2-1", file.getBlocksList().subList(2, 4), x -> x);
    fixture.fs.delete(path("/several"), false);
    List<String> deleted = fixture.sweep();
    assertTrue(
        deleted.containsAll(
            List.of(
                BraidPaths.stripePath(one.getId()),
                BraidPaths.stripePath(other.getId()),
                BraidPaths.stagingDirectory("ab".repeat(16)))),
        deleted.toString());
    for (String path : deleted) {
      assertFalse(fixture.fs.exists(path(path)), path);
    }
  }
}
