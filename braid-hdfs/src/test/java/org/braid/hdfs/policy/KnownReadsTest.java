package org.braid.hdfs.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.braid.hdfs.policy.audit.Coverage;
import org.junit.jupiter.api.Test;

final class KnownReadsTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final ReadScopes LOGS = ReadScopes.of(List.of("/logs/**"));

  private static Instant day(int day) {
    return START.plus(Duration.ofDays(day));
  }

  /** Logs of some days, each pair from one to another. */
  private static Coverage days(int... days) {
    Coverage coverage = new Coverage(Duration.ofHours(2));
    for (int i = 0; i < days.length; i += 2) {
      coverage.add(new Coverage.Span(day(days[i]), day(days[i + 1])));
    }
    return coverage;
  }

  private static KnownReads after(KnownReads before, ReadScopes followed, int... days) {
    return before.importing(days(days), followed).known();
  }

  private static Policy policy(String name, Action action, String settings) {
    Map<String, String> map = new HashMap<>();
    for (String setting : settings.split(" ")) {
      map.put(setting.split("=")[0], setting.split("=", 2)[1]);
    }
    return Policy.of(name, true, action, map);
  }

  private static FileFacts file(KnownReads reads, int used) {
    return new FileFacts("/logs/f", 50, 5, "ann", day(used), Optional.of(day(used)), reads);
  }

  private static boolean takes(Policy policy, KnownReads reads, int used, int now) {
    return policy.takes(file(reads, used), day(now));
  }

  @Test
  void consecutiveAndOverlappingImportsExtendWhatIsKnown() {
    KnownReads first = after(KnownReads.NONE, LOGS, 10, 11);
    assertEquals(KnownReads.fromLogs(Map.of("/logs/**", day(10)), day(11)), first);
    KnownReads next = after(first, LOGS, 11, 12);
    assertEquals(KnownReads.fromLogs(Map.of("/logs/**", day(10)), day(12)), next);
    assertEquals(next, after(next, LOGS, 10, 12));
    assertEquals(next, after(next, LOGS, 11, 12));
    assertEquals(
        KnownReads.fromLogs(Map.of("/logs/**", day(8)), day(12)), after(next, LOGS, 8, 10));
    assertEquals(
        "reads are known from audit logs, of /logs/** from 2026-01-11T00:00:00Z to"
            + " 2026-01-13T00:00:00Z",
        next.sentence());
  }

  @Test
  void behindAGapReadsAreKnownAnew() {
    KnownReads first = after(KnownReads.NONE, LOGS, 10, 11);
    KnownReads.Extension later = first.importing(days(12, 13), LOGS);
    assertEquals(KnownReads.fromLogs(Map.of("/logs/**", day(12)), day(13)), later.known());
    assertEquals(List.of(new Coverage.Span(day(11), day(12))), later.gaps());
    // The log of the gap is found.
    assertEquals(
        KnownReads.fromLogs(Map.of("/logs/**", day(11)), day(13)),
        after(later.known(), LOGS, 11, 12));
    // Earlier logs that do not reach what is known change nothing.
    KnownReads.Extension earlier = first.importing(days(5, 6), LOGS);
    assertEquals(first, earlier.known());
    assertEquals(List.of(new Coverage.Span(day(6), day(10))), earlier.gaps());
  }

  @Test
  void pathsAreKnownFromTheImportOnThatFollowsThem() {
    KnownReads first = after(KnownReads.NONE, LOGS, 10, 20);
    ReadScopes both = ReadScopes.of(List.of("/logs/**", "/new"));
    KnownReads second = after(first, both, 20, 21);
    assertEquals(Map.of("/logs/**", day(10), "/new", day(20)), second.since());
    // A later import of the earlier logs follows the new path, too.
    assertEquals(day(10), after(second, both, 10, 21).since().get("/new"));
    // Logs that end before what is known tell nothing of another path.
    KnownReads.Extension lacking = first.importing(days(10, 15), both);
    assertEquals(first, lacking.known());
    assertEquals(List.of("/new"), lacking.unknown());
    // What an import does not follow is known no more.
    assertEquals(
        Map.of("/new", day(20)), after(second, ReadScopes.of(List.of("/new")), 21, 22).since());
    assertEquals(
        Optional.empty(),
        after(first, ReadScopes.of(List.of("/new")), 20, 21).since(Glob.parse("/logs/**")));
    // All files are known: so are those of any policy.
    KnownReads all = after(KnownReads.NONE, ReadScopes.all(), 5, 20);
    assertEquals(Optional.of(day(5)), all.since(Glob.parse("/x/*")));
    assertEquals(Map.of("/logs/**", day(5)), after(all, LOGS, 20, 21).since());
  }

  @Test
  void aFileIsUnreadOnlyForTimesThatAreKnown() {
    Policy cold = policy("cold", Action.CONVERT, "path=/logs/** unread-for=90d code=rs-6-3");
    KnownReads reads = after(KnownReads.NONE, LOGS, 100, 189);
    assertTrue(!takes(cold, reads, 1, 300), "89 days are known");
    KnownReads longer = after(reads, LOGS, 189, 190);
    assertTrue(takes(cold, longer, 1, 190));
    assertTrue(takes(cold, longer, 100, 190));
    assertTrue(!takes(cold, longer, 101, 190), "89 days");
    assertTrue(!takes(cold, longer, 101, 300), "no log of the last 110 days");
    assertTrue(takes(cold, KnownReads.HDFS, 101, 300));
    assertTrue(!takes(cold, KnownReads.NONE, 1, 300));
    String why =
        new PolicySet(List.of(cold)).explain(file(reads, 1), day(300)).passed().get(0).reason();
    assertEquals(
        "it is known to be unread for 89d, at least 90d is needed: reads are known from audit logs,"
            + " from 2026-04-11T00:00:00Z to 2026-07-09T00:00:00Z",
        why);
    FileVerdict imported = new PolicySet(List.of(cold)).explain(file(reads, 1), day(189));
    assertEquals(Optional.of(day(190)), imported.at(), "if imports go on");
  }

  @Test
  void aFileIsInUseOnlyIfAReadIsSeen() {
    Policy hot = policy("hot", Action.RESTORE, "path=/logs/** read-within=2d");
    KnownReads reads = after(KnownReads.NONE, LOGS, 100, 101);
    assertTrue(!takes(hot, reads, 1, 101), "that logs begin is no read");
    assertTrue(takes(hot, reads, 100, 101));
    assertTrue(!takes(hot, reads, 100, 103), "nothing is known of the last days");
    assertTrue(!takes(hot, KnownReads.HDFS, 98, 101));
  }

  @Test
  void whatLeavesFilesAloneTakesThoseThatMayBeInUse() {
    Policy keep = policy("keep", Action.LEAVE, "path=/logs/** read-within=30d");
    KnownReads reads = after(KnownReads.NONE, LOGS, 100, 120);
    assertTrue(takes(keep, reads, 1, 120), "before the logs begin it may have been read");
    assertTrue(takes(keep, after(reads, LOGS, 120, 129), 1, 200));
    assertTrue(!takes(keep, after(reads, LOGS, 120, 130), 1, 200));
    assertTrue(
        keep.takes(
            new FileFacts("/logs/f", 5, 1, "ann", day(1), Optional.empty(), KnownReads.NONE),
            day(100)));
  }

  @Test
  void agesBelowTwiceThePrecisionOfAccessTimesMeanNothing() {
    KnownReads exact = KnownReads.fromAccessTimes(Duration.ofSeconds(15));
    Policy hot = policy("hot", Action.RESTORE, "path=/p read-within=3s");
    Policy cold = policy("cold", Action.CONVERT, "path=/p unread-for=6s code=rs-3-2");
    PolicySet chasing = new PolicySet(List.of(hot, cold));
    assertEquals(
        List.of(
            "policy hot: read-within 3s means nothing: HDFS records reads to 15s"
                + " (dfs.namenode.accesstime.precision of the NameNode), so that at least 30s is"
                + " needed",
            "policy cold: unread-for 6s means nothing: HDFS records reads to 15s"
                + " (dfs.namenode.accesstime.precision of the NameNode), so that at least 30s is"
                + " needed"),
        chasing.tooFine(exact));
    assertEquals(List.of(), chasing.tooFine(KnownReads.HDFS), "an older plugin does not tell");
    assertEquals(
        List.of(),
        new PolicySet(
                List.of(
                    policy("a", Action.RESTORE, "path=/p read-within=30s"),
                    policy("b", Action.CONVERT, "path=/p unread-for=60s code=rs-3-2"),
                    policy("c", Action.CONVERT, "path=/q older-than=1s code=rs-3-2")))
            .tooFine(exact));
  }

  @Test
  void policiesWithSuchAgesAreRefusedWhenTheyAreNewOrEnabled() {
    KnownReads exact = KnownReads.fromAccessTimes(Duration.ofSeconds(15));
    PolicySet hot = new PolicySet(List.of(policy("hot", Action.RESTORE, "path=/p read-within=3s")));
    assertThrows(IllegalArgumentException.class, () -> hot.checkChanges(PolicySet.NONE, exact));
    hot.checkChanges(PolicySet.NONE, KnownReads.NONE);
    // What is there already may stay beside others, and may be disabled.
    hot.with(
            policy("cold", Action.CONVERT, "path=/q unread-for=1d code=rs-3-2"),
            OptionalInt.empty())
        .checkChanges(hot, exact);
    PolicySet disabled = hot.changing("hot", Policy::disable);
    disabled.checkChanges(hot, exact);
    assertEquals(List.of(), disabled.tooFine(exact));
    assertThrows(IllegalArgumentException.class, () -> hot.checkChanges(disabled, exact));
  }

  @Test
  void isWrittenAndRead() {
    KnownReads reads =
        KnownReads.fromLogs(Map.of("/logs/**", day(1), "/\u00e4 \"x\"", day(2)), day(3));
    assertEquals(reads, KnownReadsJson.read(KnownReadsJson.write(reads)));
    for (String text :
        List.of("", "[]", "{\"format\":2}", "{\"format\":1}", "{\"format\":1,\"until\":\"x\"}")) {
      assertThrows(
          IllegalArgumentException.class,
          () -> KnownReadsJson.read(text.getBytes(StandardCharsets.UTF_8)),
          text);
    }
    Map<String, Instant> many = new HashMap<>();
    for (int i = 0; i < 1000; i++) {
      many.put("/" + i, START);
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> KnownReadsJson.write(KnownReads.fromLogs(many, START)));
  }

  /** A file that is read all the time seems to be unread for up to an hour. */
  @Test
  void agesBelowTwiceTheStepOfImportsMeanNothing() {
    KnownReads logs = KnownReads.fromLogs(Map.of(), START);
    assertEquals(
        List.of(
            "policy hot: read-within 30m means nothing: imports of audit logs record reads to 1h,"
                + " so that at least 2h is needed"),
        new PolicySet(
                List.of(
                    policy("hot", Action.RESTORE, "path=/p read-within=30m"),
                    policy("warm", Action.RESTORE, "path=/q read-within=2h")))
            .tooFine(logs));
    PolicySet fine =
        new PolicySet(List.of(policy("a", Action.RESTORE, "path=/p read-within=119m")));
    assertThrows(IllegalArgumentException.class, () -> fine.checkChanges(PolicySet.NONE, logs));
  }

  /** An earlier release took them: they are read still, and may be removed. */
  @Test
  void policiesOfSnapshotsAreRefusedWhenTheyAreNewOrEnabled() {
    PolicySet snapshot =
        new PolicySet(List.of(policy("s", Action.CONVERT, "path=/d/.snapshot/s1/** code=rs-3-2")));
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> snapshot.checkChanges(PolicySet.NONE, KnownReads.HDFS));
    assertEquals(
        "policy s: path \"/d/.snapshot/s1/**\" is in a snapshot, which cannot change: name it"
            + " without .snapshot",
        refused.getMessage());
    PolicySet disabled = snapshot.changing("s", Policy::disable);
    disabled.checkChanges(snapshot, KnownReads.HDFS);
    snapshot.checkChanges(snapshot, KnownReads.HDFS);
    assertThrows(
        IllegalArgumentException.class, () -> snapshot.checkChanges(disabled, KnownReads.HDFS));
  }
}
