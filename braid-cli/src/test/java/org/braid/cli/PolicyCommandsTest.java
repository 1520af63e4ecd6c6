package org.braid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.braid.cli.cluster.base.ClusterConnector;
import org.braid.hdfs.api.Policies.Standing;
import org.braid.hdfs.policy.KnownReads;
import org.braid.hdfs.policy.Pausable;
import org.braid.hdfs.policy.PolicyDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commands on policies, without a cluster. */
final class PolicyCommandsTest {
  private final FakeCluster cluster = new FakeCluster();

  private Run run(String line) {
    return Run.of(cluster, line.split(" "));
  }

  private JsonNode json(String line) throws Exception {
    Run run = run(line + " --json");
    assertEquals(0, run.status(), run.err());
    assertTrue(run.json().get("ok").booleanValue());
    return run.json();
  }

  private String out(String line) {
    Run run = run(line);
    assertEquals(0, run.status(), run.err());
    return run.out();
  }

  @Test
  void policiesAreAddedOrderedSwitchedAndRemoved() throws Exception {
    assertTrue(out("policy list").contains("there are no policies"));
    assertEquals(
        "policy cold is added (change 1)",
        out("policy add convert cold --path /logs/** --unread-for 30d --code rs-6-3"
                + " --window 22:00-06:00 --zone Europe/Berlin")
            .strip());
    out("policy add leave keep --path /logs/keep --first");
    out("policy add restore hot --path /logs/** --read-within 1d --before cold --disabled");
    JsonNode listed = json("policy list");
    List<String> names = new ArrayList<>();
    listed.get("policies").forEach(node -> names.add(node.get("name").asText()));
    assertEquals(List.of("keep", "hot", "cold"), names);
    assertEquals("30d", listed.get("policies").get(2).get("unread_for").asText());
    assertTrue(listed.get("policies").get(2).get("parity_copies").isIntegralNumber());
    assertEquals("ann", listed.get("user").asText());
    String text = out("policy list");
    assertTrue(text.contains("convert to rs-6-3  "), text);
    assertTrue(text.contains("unread-for 30d, window 22:00-06:00, zone Europe/Berlin"), text);
    out("policy add convert twice --path /b --code rs-3-2 --parity-copies 2");
    String twice = out("policy list");
    assertTrue(twice.contains("convert to rs-3-2, parity x2  "), twice);
    JsonNode copies = json("policy list").get("policies").get(3);
    assertEquals("rs-3-2", copies.get("code").asText());
    assertEquals(2, copies.get("parity_copies").intValue());
    out("policy remove twice");
    out("policy enable hot");
    assertTrue(json("policy show hot").get("policy").get("enabled").booleanValue());
    out("policy disable cold");
    assertTrue(out("policy show cold").contains("enabled false"));
    assertEquals("policy keep is removed", json("policy remove keep").get("change").asText());
    JsonNode history = json("policy history").get("changes");
    assertEquals(9, history.size());
    assertEquals("policy cold is added", history.get(7).get("policies").get("change").asText());
    assertEquals("it is torn", history.get(8).get("problem").asText());
    assertTrue(out("policy history").contains("policy hot is enabled"));
  }

  @Test
  void filesAreExplained() throws Exception {
    out("policy add convert cold --path /logs/** --unread-for 30d --code rs-6-3");
    JsonNode later = json("policy explain /logs/a");
    assertEquals("cold", later.get("policy").asText());
    assertEquals("convert", later.get("action").asText());
    Instant at = Instant.parse(later.get("at").asText());
    assertTrue(at.isAfter(Instant.now()));
    assertEquals(at.truncatedTo(ChronoUnit.SECONDS), at);
    assertTrue(
        out("policy explain /logs/a")
            .matches(
                "(?s)cold takes /logs/a at [0-9-]{10}T[0-9:]{8}Z if nobody touches it, to convert"
                    + " it; .*"));
    String none = out("policy explain /other");
    assertTrue(none.startsWith("no policy takes /other; it is replicated"), none);
    assertTrue(none.contains("not cold: its path does not match /logs/**"), none);
    out("policy add convert now --path /logs --code rs-3-2 --window 00:00-23:59");
    out("pause convert");
    String now = out("policy explain /logs/a");
    assertTrue(now.contains("now takes /logs/a: to be converted to rs-3-2 by the daemon"), now);
    assertTrue(now.contains("convert is paused until resumed"), now);
    String wanted = out("policy explain /logs/converted");
    assertTrue(wanted.contains(": it is converted with rs-6-3, as it is to be"), wanted);
    cluster.policies.standing = Standing.OTHER_CODE;
    String other = out("policy explain /logs/converted");
    assertTrue(other.contains("restore it first to choose rs-3-2"), other);
    out("policy add convert twice --path /logs --code rs-6-3 --parity-copies 2 --first");
    String copies = out("policy explain /logs/converted");
    assertTrue(copies.contains("restore it first to choose rs-6-3, parity x2"), copies);
    out("policy add leave keep --path /logs --first");
    cluster.policies.standing = Standing.AS_WANTED;
    String left = out("policy explain /logs/converted");
    assertTrue(left.contains(": it is left as it is; it is converted with rs-6-3"), left);
    out("policy add restore hot --path /new --read-within 30d --first");
    String restored = out("policy explain /new/f");
    assertTrue(restored.contains("hot takes /new/f: to be restored by the daemon"), restored);
    assertEquals(1, run("policy explain /missing").status());
  }

  @Test
  void policiesSayWhatTheyWouldDo() throws Exception {
    assertEquals("no policy is enabled\n", out("policy explain --all"));
    out("policy add convert cold --path /logs/** --unread-for 30d --code rs-6-3");
    assertEquals(
        """
        cold: would convert 3 files, 30.0 MiB, to rs-6-3; 2 as it wants them, 1 later, the\
         first at 2099-01-01T00:00:00Z
          4 stripes, 5.0 MiB of parity, 40.0 MiB saved; would move 6.0 MiB across racks, at least\
         7.50 s at the rates of braid.network.* and the throttle in force
          1 file left alone:
            path     cause  reason
            /logs/e  EMPTY  it has 0 bytes
        """,
        out("policy explain --all"));
    JsonNode cold = json("policy explain --all").get("policies").get(0);
    assertEquals("cold", cold.get("policy").asText());
    assertEquals(40 << 20, cold.get("bytes_saved").intValue());
    assertTrue(cold.get("waits").isNull());
    assertEquals(0, cold.get("other_code").intValue());
    cluster.policies.otherCode = 6;
    String left = "\n  6 files left in another code: braid restore first, to choose rs-6-3\n";
    assertTrue(out("policy explain --all").contains(left));
    cold = json("policy explain --all").get("policies").get(0);
    assertEquals(List.of(2, 6), List.of(cold.get("done").asInt(), cold.get("other_code").asInt()));
    assertEquals(1, cold.get("parity_copies").intValue());
    // Files of rs-6-3 alone would be left, too.
    out("policy add convert twice --path /logs --code rs-6-3 --parity-copies 2 --first");
    String twice = out("policy explain --all");
    assertTrue(twice.startsWith("twice: would convert 3 files, 30.0 MiB, to rs-6-3, parity x2; "));
    assertTrue(twice.contains("restore first, to choose rs-6-3, parity x2\n"), twice);
    JsonNode copies = json("policy explain --all").get("policies").get(0);
    assertEquals("rs-6-3", copies.get("code").asText());
    assertEquals(2, copies.get("parity_copies").intValue());
    out("pause convert");
    assertTrue(out("policy explain --all").contains("not now: convert is paused until resumed"));
  }

  @Test
  void whatAPolicyCannotDoIsSaid() throws Exception {
    out("policy add convert cold --path /logs/** --unread-for 30d --code rs-6-3");
    assertTrue(json("policy explain /logs/a").get("problem").isNull());
    assertTrue(json("policy explain --all").get("policies").get(0).get("problem").isNull());
    cluster.policies.problem = Optional.of("rs-6-3 needs 9 nodes, 8 are there");
    String cannot = "\n  cannot: rs-6-3 needs 9 nodes, 8 are there\n";
    assertTrue(out("policy explain /logs/a").contains(cannot));
    assertTrue(out("policy explain --all").contains(cannot));
    assertEquals(
        "rs-6-3 needs 9 nodes, 8 are there",
        json("policy explain /logs/a").get("problem").asText());
    String later = out("policy explain /logs/a");
    assertTrue(later.startsWith("cold would convert /logs/a to rs-6-3 at "), later);
    assertTrue(later.contains(" if nobody touches it; it is replicated" + cannot), later);
    out("policy add convert now --path /logs --code rs-3-2 --first");
    String now = out("policy explain /logs/a");
    String unable = "now would convert /logs/a to rs-3-2; it is replicated" + cannot;
    assertTrue(now.startsWith(unable), now);
    cluster.policies.standing = Standing.OTHER_CODE;
    String converted = out("policy explain /logs/converted");
    assertTrue(converted.contains("restore it first to choose rs-3-2"), converted);
    out("policy add convert twice --path /logs --code rs-6-3 --parity-copies 2 --first");
    String copies = out("policy explain /logs/a");
    assertTrue(copies.startsWith("twice would convert /logs/a to rs-6-3, parity x2; "), copies);
  }

  /** It holds nevertheless: nodes may be added. */
  @Test
  void aPolicyWhoseCodeDoesNotFitIsAddedAndEnabledWithAWarning() throws Exception {
    String fits = "policy add convert small --path /a --code rs-3-2";
    assertEquals("", run(fits).err());
    cluster.policies.problem = Optional.of("policy big converts nothing: rs-10-4 does not fit");
    String warning = "braid: policy big converts nothing: rs-10-4 does not fit\n";
    Run added = run("policy add convert big --path /logs --code rs-10-4 --json");
    assertEquals(0, added.status());
    assertEquals(warning, added.err());
    assertEquals("policy big is added", added.json().get("change").asText());
    assertEquals("", run("policy disable big").err());
    Run enabled = run("policy enable big");
    assertEquals(0, enabled.status());
    assertEquals(warning, enabled.err());
    assertEquals("", run("policy add convert off --path /b --code rs-10-4 --disabled").err());
    assertEquals("", run("policy add leave keep --path /c").err());
    Run refused = run("policy add convert big --path /logs --code rs-10-4");
    assertEquals(3, refused.status());
    assertFalse(refused.err().contains("converts nothing"), refused.err());
  }

  /** Whether it fits and whether it is enabled already are said of the same policies. */
  @Test
  void thePoliciesAreReadOnceToEnableOne() {
    out("policy add convert cold --path /logs --code rs-6-3 --disabled");
    cluster.policies.looks = 0;
    out("policy enable cold");
    assertEquals(1, cluster.policies.looks);
  }

  @Test
  void agesBelowThePrecisionOfReadsAreRefusedAndNamed() throws Exception {
    cluster.policies.reads = KnownReads.fromAccessTimes(Duration.ofSeconds(15));
    out("policy add restore hot --path /logs --read-within 30s");
    Run refused = run("policy add convert cold --path /x --unread-for 6s --code rs-6-3");
    assertEquals(3, refused.status());
    assertTrue(
        refused.err().contains("unread-for 6s means nothing: HDFS records reads to 15s"),
        refused.err());
    assertEquals(0, json("policy list").get("problems").size());
    cluster.policies.reads = KnownReads.fromAccessTimes(Duration.ofHours(1));
    assertTrue(out("policy list").contains("policy hot: read-within 30s means nothing"));
    assertEquals(1, json("policy list").get("problems").size());
  }

  @Test
  void workIsPausedAndResumed() throws Exception {
    JsonNode paused = json("pause repair --until 2099-12-24T06:00 --zone Europe/Berlin");
    assertEquals("2099-12-24T05:00:00Z", paused.get("pauses").get("repair").asText());
    assertEquals(
        "repair is paused until 2099-12-24T05:00:00Z (06:00 in Europe/Berlin)",
        paused.get("change").asText());
    assertTrue(out("policy list").contains("repair is paused until 2099-12-24T05:00:00Z"));
    assertEquals(
        "convert, restore, repair and scrub are paused until resumed",
        json("pause all").get("change").asText());
    assertEquals(
        """
        convert is paused until resumed
        restore is paused until resumed
        repair is paused until resumed
        scrub is paused until resumed
        """,
        out("policy list").replaceFirst("^there are no policies.*\n", ""));
    assertEquals(4, cluster.policies.current().pauses().size());
    assertEquals(Instant.MAX, cluster.policies.current().pauses().get(Pausable.REPAIR));
    out("resume restore");
    assertEquals(3, cluster.policies.current().pauses().size());
    assertEquals(
        "convert, repair and scrub are resumed", json("resume all").get("change").asText());
    assertEquals(0, cluster.policies.current().pauses().size());
  }

  @Test
  void whatIsSoAlreadyIsNoChange() throws Exception {
    out("policy add convert cold --path /logs/** --unread-for 30d --code rs-6-3");
    assertEquals(
        "nothing changed: convert, restore, repair and scrub are not paused\n", out("resume all"));
    assertEquals("nothing changed: policy cold is enabled already\n", out("policy enable cold"));
    assertTrue(json("policy disable cold").get("changed").booleanValue());
    JsonNode disabled = json("policy disable cold");
    assertFalse(disabled.get("changed").booleanValue());
    assertEquals(2, disabled.get("revision").intValue());
    out("pause convert");
    assertEquals(
        "nothing changed: convert is paused until resumed already\n", out("pause convert"));
    assertEquals(3, cluster.policies.current().revision());
    assertEquals("convert is resumed (change 4)\n", out("resume all"));
  }

  /** Who resumes all knows nothing of it, and the change does not name it. */
  @Test
  void whatSomebodyElsePausesMeanwhileStaysPaused() {
    out("pause convert");
    PolicyDocument paused = cluster.policies.current();
    cluster.policies.meanwhile =
        paused.pausing(Pausable.REPAIR, Instant.MAX).pausing(Pausable.SCRUB, Instant.EPOCH);
    assertEquals("convert is resumed (change 3)\n", out("resume all"));
    assertEquals(Set.of(Pausable.REPAIR), cluster.policies.current().pauses().keySet());
  }

  @Test
  void aPauseThatIsOverIsListedNoMore() throws Exception {
    cluster.policies.meanwhile =
        PolicyDocument.NONE
            .pausing(Pausable.REPAIR, Instant.EPOCH)
            .pausing(Pausable.SCRUB, Instant.MAX);
    String holding = "{\"scrub\":\"resumed\"}";
    JsonNode added = json("policy add convert cold --path /logs --code rs-6-3");
    assertEquals(2, added.get("revision").intValue());
    assertEquals(holding, added.get("pauses").toString());
    assertEquals(holding, json("policy list").get("pauses").toString());
    String text = out("policy list");
    assertTrue(text.endsWith("\nscrub is paused until resumed\n"), text);
    assertFalse(text.contains("repair is paused"), text);
    JsonNode history = json("policy history").get("changes");
    assertEquals(holding, history.get(0).get("policies").get("pauses").toString());
  }

  @Test
  void aPauseNamesTheOnesThatItReplaces() throws Exception {
    String first = "pause convert --until 2099-12-24T06:00 --zone Europe/Berlin";
    assertEquals(0, json(first).get("replaced").size());
    assertEquals(
        """
        convert, restore, repair and scrub are paused until resumed (change 2)
        this replaces the pause of convert until 2099-12-24T05:00:00Z (06:00 in Europe/Berlin)
        """,
        out("pause all --zone Europe/Berlin"));
    JsonNode replaced = json(first).get("replaced");
    assertEquals(1, replaced.size());
    assertEquals("resumed", replaced.get("convert").asText());
  }

  @Test
  void withoutAZoneTheTimesAreThoseOfThisMachine() {
    out("pause repair --until 2099-12-24T06:00");
    assertEquals(
        LocalDateTime.of(2099, 12, 24, 6, 0).atZone(ZoneId.systemDefault()).toInstant(),
        cluster.policies.current().pauses().get(Pausable.REPAIR));
  }

  /** The NameNode may answer minutes later. */
  @Test
  void aPauseIsAsLongAsItIsAskedForFromTheCommandOn() {
    List<Instant> connecting = new ArrayList<>();
    ClusterConnector slow =
        connection -> {
          Instant now = Instant.now();
          connecting.add(now);
          while (!Instant.now().isAfter(now)) {
            Thread.onSpinWait();
          }
          return cluster;
        };
    Run run = Run.of(slow, "pause", "repair", "--until", "8h");
    assertEquals(0, run.status(), run.err());
    PolicyDocument paused = cluster.policies.current();
    Instant began = connecting.get(0);
    assertTrue(paused.pausedUntil(Pausable.REPAIR, began).isPresent());
    Instant latest = began.plus(Duration.ofHours(8));
    assertEquals(Optional.empty(), paused.pausedUntil(Pausable.REPAIR, latest));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "policy|2|which command? (see braid policy --help)",
        "policy add melt x --path /a|2|melt",
        "policy add convert x --path /a|2|code is missing",
        "policy add convert x --code rs-6-3|2|--path",
        "policy add convert x --path a --code rs-6-3|2|not absolute",
        "policy add convert x --path /a --code nonsense|2|nonsense",
        "policy add convert x --path /a --code rs-6-3 --older-than -1d|2|is not a time",
        "policy add restore x --path /a --first --before y|2|mutually exclusive",
        "policy add restore x --path /a --before y|3|there is no policy \"y\"",
        "policy add restore cold --path /a|3|there is a policy cold already",
        "policy add restore hot --path /logs --read-within 29d|3|hot would restore files that cold",
        "policy show x|3|there is no policy \"x\"",
        "policy remove x|3|there is no policy \"x\"",
        "policy enable x|3|there is no policy \"x\"",
        "policy explain|2|name a file, or give --all",
        "policy explain --all /logs/a|2|--all is of all files: name no file with it",
        "pause move|2|\"move\" cannot be paused: convert, restore, repair, scrub or all",
        "pause convert --until 2020-01-01|2|is over",
        "pause convert --until soon|2|is not a time",
        "pause convert --until 06:00 --zone Mars|2|zone: \"Mars\" is not known",
        "resume everything|2|cannot be paused"
      })
  void wrongUseIsRefusedInALine(String line, int status, String why) {
    out("policy add convert cold --path /logs/** --unread-for 30d --code rs-6-3");
    Run run = run(line);
    assertEquals(status, run.status(), run.err());
    assertTrue(run.err().contains(why), run.err());
    assertEquals(1, cluster.policies.current().revision());
    // The first is of the policy above: wrong arguments are refused before the cluster is reached.
    assertEquals(status == 2 ? 1 : 2, cluster.connections.size());
  }
}
