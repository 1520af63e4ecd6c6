package org.braid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.braid.cli.command.Termination;
import org.braid.hdfs.api.view.UsageRequest;
import org.braid.hdfs.api.view.UsageRequest.By;
import org.junit.jupiter.api.Test;

/** The commands by which people look at a cluster, again and again or by directory. */
final class ViewCommandsTest {
  private static final String TIME = "[0-9]{2}:[0-9]{2}(:[0-9]{2})?";

  private final FakeCluster cluster = new FakeCluster();

  @Test
  void statusIsShownUntilItIsToEnd() {
    Termination termination = Termination.ofCommand();
    cluster.looked =
        look -> {
          if (look == 3) {
            termination.stop();
          }
        };
    Run run = Run.of(cluster, termination, "status", "--watch", "--every", "100ms", "/watched");
    assertEquals(0, run.status(), run.err());
    assertEquals("", run.err());
    List<String> shown = List.of(run.out().split("\n\n"));
    assertEquals(3, shown.size(), run.out());
    assertTrue(
        shown.get(0).matches("(?s)" + TIME + ", Ctrl-C ends it\nhealth: healthy\n.*"), run.out());
    assertTrue(
        shown.get(0).endsWith("nodes: 1, of these 1 live with a worker that answers"), run.out());
    // One look that fails is no end.
    assertTrue(
        shown.get(1).matches(TIME + "\ncannot tell now: the NameNode is in transition"), run.out());
    assertTrue(
        shown
            .get(2)
            .matches(
                "(?s)"
                    + TIME
                    + "; since "
                    + TIME
                    + ": \\+2 stripes, -512 B stored, \\+0 B of it parity\nhealth: .*"),
        run.out());
    assertEquals(1, cluster.closed);
  }

  @Test
  void fsckSaysWhichBlocksAreOnAnotherTypeOfStorage() throws Exception {
    Run brief = Run.of(cluster, "fsck", "/moved");
    assertEquals(0, brief.status(), brief.err());
    String line =
        "storage: 5 blocks of 2 files are on other types than storage policies want, which is no"
            + " damage: hdfs mover -p PATH moves them as far as the rules of their stripes allow";
    assertTrue(brief.out().contains(line + "; --list names the files\n"), brief.out());
    List<String> list = Run.of(cluster, "fsck", "--list", "/moved").out().lines().toList();
    assertTrue(list.contains(line), list.toString());
    assertTrue(list.contains("storage /moved/f: 4 blocks, wanted ARCHIVE"), list.toString());
    JsonNode object = Run.of(cluster, "fsck", "--json", "/moved").json();
    assertTrue(object.get("ok").booleanValue());
    assertEquals(2, object.get("storage").size());
    assertEquals("ARCHIVE", object.get("storage").get(0).get("wanted").textValue());
    assertFalse(Run.of(cluster, "fsck", "/good").out().contains("storage"));
  }

  @Test
  void fsckSaysWhichFilesNothingProtects() throws Exception {
    Run brief = Run.of(cluster, "fsck", "/single");
    assertEquals(0, brief.status(), brief.err());
    String line =
        "one replica: nothing protects the blocks of 2 healthy files in no stripe. Users may want"
            + " that; if not, braid convert PATH or hdfs dfs -setrep 3 PATH protects them";
    assertTrue(brief.out().contains(line + "; --list names the files\n"), brief.out());
    List<String> list = Run.of(cluster, "fsck", "--list", "/single").out().lines().toList();
    assertTrue(list.contains(line), list.toString());
    assertTrue(list.contains("one replica /single/b"), list.toString());
    JsonNode object = Run.of(cluster, "fsck", "--json", "/single").json();
    assertEquals("/single/a", object.get("unprotected").get(0).textValue());
    assertFalse(Run.of(cluster, "fsck", "/good").out().contains("one replica"));
  }

  @Test
  void scriptsDoNotWatch() throws Exception {
    Run run = Run.of(cluster, "status", "--watch", "--json");
    assertEquals(2, run.status());
    assertTrue(run.json().get("error").textValue().contains("--watch is for people"), run.out());
  }

  @Test
  void usageIsByDirectoryWithATotal() {
    Run run = Run.of(cluster, "du", "/d");
    assertEquals(0, run.status(), run.err());
    assertEquals(List.of(new UsageRequest("/d", By.DIRECTORY, 1)), cluster.requests);
    assertEquals(
        """
        directory  files  content   stored  times  of it parity     saved
        /a             2  2.0 MiB  3.0 MiB   1.50       1.0 MiB   3.0 MiB
        /b             1      0 B  2.0 MiB      -       1.0 MiB  -2.0 MiB
        /d             3  3.0 MiB  6.0 MiB   2.00       1.0 MiB   3.0 MiB
        """,
        run.out());
  }

  @Test
  void usageIsByOwnerForAScript() throws Exception {
    JsonNode object = Run.of(cluster, "du", "--by", "owner", "--json", "/skipped").json();
    assertEquals(By.OWNER, ((UsageRequest) cluster.requests.get(0)).by());
    assertTrue(object.get("ok").booleanValue());
    assertEquals(9 << 20, object.get("total").get("replicated_bytes").longValue());
    assertEquals(3 << 20, object.get("total").get("saved_bytes").longValue());
    assertEquals(-2 << 20, object.get("rows").get(1).get("saved_bytes").longValue());
    assertEquals(4, object.get("hidden").intValue());
    assertEquals(2, object.get("unsupported").intValue());
    String text = Run.of(cluster, "du", "--by", "owner", "/skipped").out();
    assertTrue(text.contains("\nall of /skipped "), text);
    assertTrue(text.contains("\nthe parity of 2 stripes is left out: "), text);
    assertTrue(text.contains("\n4 files and directories do not count: "), text);
  }

  @Test
  void whoConvertsWhileHdfsIsUpgradedHearsThatNoRoomIsFreed() {
    String kept = "conversions drop free no room until hdfs dfsadmin -rollingUpgrade finalize\n";
    for (String command :
        List.of("status", "convert --code rs-6-3", "convert --code rs-6-3 --dry-run")) {
      FakeCluster cluster = new FakeCluster();
      Run told = Run.of(cluster, (command + " /upgrading").split(" "));
      assertTrue(told.out().contains(kept), told.out() + told.err());
      Run other = Run.of(cluster, (command + " /d").split(" "));
      assertFalse(other.out().contains(kept), other.out());
    }
  }
}
