package org.braid.hdfs.coordinator.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.braid.hdfs.api.ConvertReport.Skipped;
import org.braid.hdfs.api.RestoreReport.Restored;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.FakeFile;
import org.braid.hdfs.stripe.Replica;
import org.braid.hdfs.stripe.StoredFile;
import org.junit.jupiter.api.Test;

final class AwaitedFilesTest {
  private final AwaitedFiles files = new AwaitedFiles();

  private static StoredFile file(long inode, int replication, int live) {
    return file(inode, replication, live, 0);
  }

  private static StoredFile file(long inode, int replication, int live, int corrupt) {
    List<Replica> replicas = new ArrayList<>();
    for (int i = 0; i < live + corrupt; i++) {
      replicas.add(new Replica("n" + i, false, i >= live, true));
    }
    replicas.add(new Replica("dead", false, false, false));
    BlockStatus block =
        new BlockStatus(new BlockIdentity(inode, 1, 100), replicas, replication, true, List.of());
    return file(inode, replication, block);
  }

  private static StoredFile file(long inode, int replication, BlockStatus... blocks) {
    return FakeFile.at("/f" + inode, inode)
        .length(100, 100)
        .replication(replication)
        .blocks(blocks)
        .build();
  }

  @Test
  void aFileIsWaitedForUntilItsReplicasAreLive() {
    files.add(file(1, 1, 1), 3);
    files.look(List.of(file(1, 3, 2)));
    assertEquals(List.of("/f1"), files.open());
    assertEquals(2, files.replicas());
    assertEquals(3, files.total());
    assertTrue(files.isCopied());
    files.look(List.of(file(1, 3, 0)));
    assertFalse(files.isCopied(), "nothing to copy from");
    files.look(List.of(file(1, 3, 3)));
    assertEquals(List.of(), files.open());
    assertEquals(List.of(new Restored("/f1", 1, 3)), files.restored());
  }

  /** HDFS counts no corrupt copy, and makes another one. */
  @Test
  void corruptCopiesAreNoReplicas() {
    files.add(file(1, 1, 1), 3);
    files.look(List.of(file(1, 3, 2, 1)));
    assertEquals(List.of("/f1"), files.open());
    assertEquals(2, files.replicas());
    files.look(List.of(file(1, 3, 0, 3)));
    assertEquals(0, files.replicas());
    assertFalse(files.isCopied(), "nothing good to copy from");
  }

  /** A block that is being written has the copies that its writer makes. */
  @Test
  void whatIsBeingWrittenIsNotWaitedFor() {
    StoredFile whole = file(1, 3, 3);
    BlockStatus open = new BlockStatus(new BlockIdentity(9, 1, 0), List.of(), 3, false, List.of());
    StoredFile appended = file(1, 3, whole.blocks().get(0), open);
    files.add(file(1, 1, 1), 3);
    files.look(List.of(appended));
    assertEquals(List.of(), files.open());
    assertEquals(3, files.total());
  }

  /** A listing in the order of paths misses what is renamed behind its back. */
  @Test
  void whatAListingLacksIsNamed() {
    files.add(file(1, 1, 1), 3);
    files.add(file(2, 1, 1), 3);
    assertEquals(Set.of(2L), files.unlisted(List.of(file(1, 3, 3), file(7, 3, 3))));
  }

  @Test
  void aReplicationThatAUserSetMeanwhileIsEnough() {
    files.add(file(1, 1, 1), 3);
    files.look(List.of(file(1, 2, 2)));
    assertEquals(List.of(), files.open());
    assertEquals(List.of(new Restored("/f1", 1, 2)), files.restored());
    files.look(List.of(file(1, 5, 3)));
    assertEquals(List.of(), files.open(), "no more than what was to be restored");
  }

  @Test
  void filesThatAreGoneOrToHaveOneReplicaAreNamed() {
    files.add(file(1, 1, 1), 3);
    files.add(file(2, 1, 1), 3);
    files.add(file(3, 1, 1), 3);
    files.look(List.of(file(1, 3, 3), file(2, 1, 1)));
    assertEquals(List.of(), files.open());
    assertEquals(List.of(new Restored("/f1", 1, 3)), files.restored());
    assertEquals(
        List.of(
            new Skipped(
                "/f2",
                "CHANGED",
                "its replication was set to 1 meanwhile, 3 was to be restored: it keeps its parity"),
            new Skipped("/f3", "GONE", "it was deleted meanwhile")),
        files.skipped());
  }

  /** A policy has other work, too, while HDFS copies. */
  @Test
  void filesThatAreStillBeingCopiedKeepNoOthersFromBeingRestored() {
    files.add(file(1, 1, 1), 3);
    files.add(file(2, 1, 1), 3);
    files.look(List.of(file(1, 3, 2), file(2, 3, 3)));
    files.postpone(30);
    assertEquals(List.of(), files.open());
    assertEquals(List.of(new Restored("/f2", 1, 3)), files.restored());
    assertEquals(
        List.of(
            new Skipped(
                "/f1",
                "REPLICATING",
                "a block of it has 2 of 3 replicas after 30 s; its parity stays where a block has"
                    + " one copy: HDFS goes on copying, and the next restoration finishes")),
        files.skipped());
    assertEquals(List.of("/f2"), files.awaited().stream().map(StoredFile::path).toList());
  }

  /** One of very many may want more replicas than there are nodes. */
  @Test
  void filesThatGetNoReplicasKeepNoOthersFromBeingRestored() {
    files.add(file(1, 1, 1), 10);
    files.add(file(2, 1, 1), 3);
    files.add(file(3, 1, 1), 3);
    files.look(List.of(file(1, 10, 5), file(2, 3, 3), file(3, 3, 0)));
    assertEquals(List.of("/f1", "/f3"), files.open());
    files.giveUp(720);
    assertEquals(List.of(), files.open());
    assertEquals(List.of(new Restored("/f2", 1, 3)), files.restored());
    assertEquals(
        List.of(
            new Skipped(
                "/f1",
                "TOO_FEW_REPLICAS",
                "a block of it has 5 of 10 replicas, and HDFS has made none for 720 s; its parity"
                    + " stays where a block has one copy: run braid restore again"),
            new Skipped(
                "/f3",
                "BLOCKS_LOST",
                "a block of it has no copy any more; its parity stays: run braid repair, then braid"
                    + " restore again")),
        files.skipped());
    assertEquals(
        List.of("/f2"),
        files.awaited().stream().map(StoredFile::path).toList(),
        "what keeps its parity keeps its pins");
  }

  /** The NameNode keeps the parity of files of one replica: nothing was restored. */
  @Test
  void aFileThatHadOneReplicaKeepsItsParityAndIsNamed() {
    files.add(file(1, 1, 1), 1);
    files.look(List.of(file(1, 1, 1)));
    assertEquals(List.of(), files.open());
    assertEquals(List.of(), files.restored());
    assertEquals(List.of(), files.awaited(), "what keeps its parity keeps its pins");
    assertEquals(
        List.of(
            new Skipped(
                "/f1",
                "ONE_REPLICA",
                "it had one replica when it was converted, so that its parity stays, which alone"
                    + " protects it: give it replicas (hdfs dfs -setrep 3), then restore it again")),
        files.skipped());
  }
}
