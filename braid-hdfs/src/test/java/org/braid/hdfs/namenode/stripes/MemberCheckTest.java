package org.braid.hdfs.namenode.stripes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.braid.hdfs.namenode.stripes.MemberCheck.Block;
import org.braid.hdfs.namenode.stripes.MemberCheck.Copy;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.Member;
import org.junit.jupiter.api.Test;

final class MemberCheckTest {
  private static final Member MEMBER = Member.data(new BlockIdentity(7, 1001, 4096), 5, "home", 3);
  private static final Copy GOOD = copy("home", false, false, true, false, 100, false);
  private static final Copy OTHER = copy("other", false, false, true, false, 200, false);

  private static Copy copy(
      String uuid,
      boolean corrupt,
      boolean going,
      boolean alive,
      boolean stale,
      long silence,
      boolean suspect) {
    return new Copy(
        uuid, uuid + ".net", corrupt, going, alive, Optional.empty(), stale, silence, suspect);
  }

  private static Copy leaving() {
    return new Copy(
        "home", "home.net", false, false, true, Optional.of("Decommissioned"), false, 0, false);
  }

  private static String refusal(boolean complete, boolean inSnapshot, Copy... copies) {
    return MemberCheck.refusal(
            MEMBER, Optional.of(new Block(complete, inSnapshot, List.of(copies))), "home.net", 4000)
        .orElse("none");
  }

  private static String refusal(Copy... copies) {
    return refusal(true, false, copies);
  }

  @Test
  void aGoodCopyAtHomeLetsTheOthersGo() {
    assertEquals("none", refusal(GOOD));
    assertEquals("none", refusal(OTHER, GOOD));
    // Whatever is wrong with copies that go, but for one that may turn up again.
    assertEquals("none", refusal(GOOD, copy("other", true, false, true, false, 0, false)));
    assertEquals("none", refusal(GOOD, copy("other", false, false, false, false, 90_000, true)));
  }

  @Test
  void aBlockThatIsNotAsRecordedKeepsItsReplicas() {
    assertEquals(
        "blk_7 is gone or changed: recorded are generation 1001 and 4096 bytes",
        MemberCheck.refusal(MEMBER, Optional.empty(), "home.net", 4000).orElse("none"));
    assertEquals(
        "blk_7 is not complete: its file is open for writing", refusal(false, false, GOOD));
    assertEquals(
        "blk_7 is held by a snapshot at more than 1 replica: delete the snapshot first",
        refusal(true, true, GOOD, OTHER));
    assertEquals("blk_7 has 1 replicas, none at its home home.net", refusal(OTHER));
  }

  @Test
  void aCopyAtHomeThatMayNotLastKeepsTheOthers() {
    String at = "blk_7 at its home home.net";
    assertEquals(at + " is corrupt", refusal(copy("home", true, false, true, false, 0, false)));
    assertEquals(
        at + " is scheduled for deletion",
        refusal(copy("home", false, true, true, false, 0, false), OTHER));
    assertEquals(
        at + " is on a dead node or failed storage",
        refusal(copy("home", false, false, false, false, 0, false), OTHER));
    assertEquals(at + " is on a node in state Decommissioned", refusal(leaving(), OTHER));
    assertEquals(
        at + ": 1 of 2 replicas are on STALE storages, a full block report is awaited",
        refusal(GOOD, copy("other", false, false, true, true, 0, false)));
    assertEquals(
        at + " is on a node that is silent for 4001 ms, at most 4000 are allowed",
        refusal(OTHER, copy("home", false, false, true, false, 4001, true)));
  }
}
