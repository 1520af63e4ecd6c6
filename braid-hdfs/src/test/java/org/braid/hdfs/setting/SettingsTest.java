package org.braid.hdfs.setting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.braid.hdfs.setting.Setting.Kind;
import org.braid.hdfs.setting.Setting.Reader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SettingsTest {
  private final Configuration conf = new Configuration(false);

  @Test
  void aMalformedValueIsNamedWithPropertySourceAndForm() {
    conf.set("braid.worker.memory", "64 megabytes", "hdfs-site.xml");
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> Settings.check(conf, Reader.DATA_NODE));
    assertEquals(
        "braid.worker.memory = \"64 megabytes\" (hdfs-site.xml): it is not a size: write a number"
            + " of bytes, or one with k, m or g, as in 64m; correct it, or remove it for the"
            + " default",
        refused.getMessage());
  }

  @Test
  void whatSomeoneElseReadsStopsNobody() {
    conf.set("braid.worker.memory", "much");
    Settings.check(conf, Reader.NAME_NODE);
    conf.set("braid.heartbeat.port", "high");
    assertThrows(IllegalArgumentException.class, () -> Settings.check(conf, Reader.NAME_NODE));
  }

  @ParameterizedTest
  @CsvSource({
    "BYTES, 64m, 64mb",
    "BYTES, 1048576, 1.5m",
    "TIME, 15m, 15 minutes",
    "TIME, 500ms, soon",
    "NUMBER, 7, 7.5",
    "NUMBER, -1, one",
    "PORT, -1, 70000",
    "RATIO, 2.5, 5:1",
    "SWITCH, false, flase",
    "SWITCH, TRUE, yes",
    "CODE, 'rs-10-4,c=1,across', rs-10-x",
    "CODE, stair-n8-r4-m2-e1.1.2-l0, fish",
    "CODES, 'rs, lrc-10-2-2', 'rs,fish'",
    "CODES, 'rs-200-50,rotated-rs-7-6-9', 'rs,lrc-10-2'",
  })
  void theFormOfEachKindIsTheOneThatHadoopReads(Kind kind, String right, String wrong) {
    Setting setting = new Setting("braid.x", kind, Allowed.ALL, Reader.ALL);
    assertEquals(Optional.empty(), setting.problem(conf));
    conf.set("braid.x", right);
    assertEquals(Optional.empty(), setting.problem(conf));
    conf.set("braid.x", wrong);
    assertTrue(setting.problem(conf).isPresent());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "braid.repair.scheduler|mppr|nonsense|one of arrival, mppr, together",
        "braid.repair.per-node|1|0|at least 1",
        "braid.repair.per-node|1|-3|at least 1",
        "braid.repair.per-uplink|1|0|at least 1",
        "braid.repair.delay|0s|-5m|a time of at least 0s",
        "braid.repair.timeout|1s|0|a time of at least 1ms",
        "braid.daemon.cut-off-after|1s|999ms|a time of at least 1s",
        "braid.coordinator.lease-wait|0s|-1s|a time of at least 0s",
        "braid.throttle.repair-share|0.5|7|a number from 0 to 1",
        "braid.throttle.repair-share|0|-1|a number from 0 to 1",
        "braid.throttle.repair-share|0.7|0.8|at most 1 together with"
            + " braid.throttle.conversion-share, which is 0.3",
        "braid.throttle.node|64k|7|0, or at least 65536",
        "braid.throttle.cluster|0|-1|0, or at least 65536",
        "braid.throttle.latency-target|5ms|-5ms|0, or a time from 100us to 10s",
        "braid.throttle.latency-target|0|-5us|0, or a time from 100us to 10s",
        "braid.throttle.latency-target|100us|99us|0, or a time from 100us to 10s",
        "braid.throttle.latency-target|10s|10001ms|0, or a time from 100us to 10s",
        "braid.throttle.latency-target|100|5|0, or a time from 100us to 10s",
        "braid.throttle.latency-target|100000ns|5ns|0, or a time from 100us to 10s",
        "braid.network.link|1|0|at least 1",
        "braid.network.site-link|0|-1|at least 0",
        "braid.network.oversubscription|1|0|a number of at least 1",
        "braid.network.oversubscription|4.5|NaN|a number of at least 1",
        "braid.scrub.period|1d|0|a time of at least 1ms",
        "braid.scrub.rate|0|-1|at least 0",
        "braid.worker.memory|64k|-1|at least 65536",
        "braid.worker.memory|64k|0|at least 65536",
        "braid.worker.cache|0|-1|at least 0",
        "braid.worker.fragments|2|0|at least 2",
        "braid.worker.fragments-per-user|1|0|at least 1",
        "braid.worker.stream.timeout|1|0|at least 1",
        "braid.worker.stream.port|0|-1|at least 0",
        "braid.namenode.deferral.wait|60s|61s|a time from 1ms to 60s",
        "braid.namenode.deferral.calls|1|0|at least 1",
        "braid.client.degraded.shape|auto|nonsense|one of star, ppr, chain, racktree, auto",
        "braid.client.degraded.hedges|8|9|0 to 8",
        "braid.client.degraded.slice|1|0|1 to 1073741824",
        "braid.client.read-ahead.blocks|64|0|1 to 64",
        "braid.client.read-ahead.memory|1m|512k|at least braid.client.read-ahead.piece, which is"
            + " 1048576",
        "braid.client.socket-timeout|1s|0|a time from 1ms to 2147483647ms",
      })
  void aValueOutOfItsRangeIsNamedWithWhatIsAllowed(
      String name, String right, String wrong, String needed) {
    conf.set(name, right, "hdfs-site.xml");
    assertEquals(List.of(), Settings.findings(conf));
    conf.set(name, wrong, "hdfs-site.xml");
    assertEquals(
        List.of(
            "%s = \"%s\" (hdfs-site.xml): it is out of range: needed is %s; correct it, or remove"
                    .formatted(name, wrong, needed)
                + " it for the default"),
        Settings.findings(conf).stream().map(Settings.Finding::line).toList());
  }

  @Test
  void optionsBehindACodeAreReadAsTheNameNodeReadsThem() {
    conf.set("braid.ear.default", "rs-3-2,policy=ear");
    assertEquals(List.of(), Settings.findings(conf));
    conf.set("braid.ear.default", "rs-3-2,policy=nonsense", "hdfs-site.xml");
    Settings.Finding finding = Settings.findings(conf).get(0);
    assertEquals("braid.ear.default", finding.property());
    assertTrue(finding.problem().contains("nonsense"), finding.problem());
    assertThrows(IllegalArgumentException.class, () -> Settings.check(conf, Reader.NAME_NODE));
    Settings.check(conf, Reader.DATA_NODE);
  }

  @Test
  void nothingIsNoLimitOfAThrottleAndTheRackOfTheAddress() {
    conf.set("braid.throttle.node", "");
    conf.set("braid.client.rack", "");
    conf.set("braid.ear.default", "");
    assertEquals(List.of(), Settings.findings(conf));
    conf.set("braid.client.rack", "rack1");
    assertEquals(1, Settings.findings(conf).size());
  }

  @ParameterizedTest
  @CsvSource({
    "braid.repair.dealy, did you mean braid.repair.delay?",
    "braid.worker.memroy, did you mean braid.worker.memory?",
    "braid.namenode.deferal.wait, did you mean braid.namenode.deferral.wait?",
    "braid.fish, remove it; docs/OPERATIONS.md lists all properties",
  })
  void anUnknownPropertyIsNamedWithTheNearest(String name, String remedy) {
    conf.set(name, "1m");
    List<Settings.Finding> findings = Settings.findings(conf);
    assertEquals(1, findings.size());
    assertTrue(findings.get(0).unknown());
    assertEquals(name, findings.get(0).property());
    assertEquals(remedy, findings.get(0).remedy());
    // A newer configuration does not keep an older plugin from starting.
    Settings.check(conf, Reader.NAME_NODE);
  }

  @Test
  void aConfigurationWithoutBraidHasNoFindings() {
    conf.set("dfs.replication", "three");
    assertEquals(List.of(), Settings.findings(conf));
  }
}
