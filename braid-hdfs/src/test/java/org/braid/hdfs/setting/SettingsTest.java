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
  })
  void theFormOfEachKindIsTheOneThatHadoopReads(Kind kind, String right, String wrong) {
    Setting setting = new Setting("braid.x", kind, Reader.ALL);
    assertEquals(Optional.empty(), setting.problem(conf));
    conf.set("braid.x", right);
    assertEquals(Optional.empty(), setting.problem(conf));
    conf.set("braid.x", wrong);
    assertTrue(setting.problem(conf).isPresent());
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
