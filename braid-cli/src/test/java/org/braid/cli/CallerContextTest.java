package org.braid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.ipc.CallerContext;
import org.braid.cli.cluster.base.ClusterConnector;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Connection;
import org.braid.hdfs.api.view.CheckReport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What NameNodes are told of who calls, by command. */
final class CallerContextTest {
  private final List<String> seen = new ArrayList<>();

  /** Notes in what context a cluster is called, which is none. */
  private final ClusterConnector connector =
      new ClusterConnector() {
        @Override
        public Cluster connect(Connection connection) throws IOException {
          throw refused();
        }

        @Override
        public CheckReport check(Connection connection, List<String> codes) throws IOException {
          throw refused();
        }
      };

  @BeforeEach
  @AfterEach
  void withoutContext() {
    CallerContext.setCurrent(null);
  }

  private IOException refused() {
    CallerContext current = CallerContext.getCurrent();
    seen.add(current == null ? "none" : String.valueOf(current.getContext()));
    return new IOException("no cluster");
  }

  private void fail(String line) {
    Run.of(connector, line.split(" ")).assertFailed(1, "no cluster");
  }

  @ParameterizedTest
  @CsvSource({
    "convert /logs, braid_convert",
    "restore /logs, braid_restore",
    "check, braid_check",
    "status, braid_status",
    "du, braid_du",
    "fsck, braid_fsck",
    "repair, braid_repair",
    "scrub, braid_scrub",
    "daemon, braid_daemon",
    "coordinator, braid_daemon",
    "pause convert, braid_pause",
    "resume convert, braid_resume",
    "policy list, braid_policy_list",
    "policy add leave a --path /a, braid_policy_add",
    "policy import-reads -, braid_policy_import-reads",
    "throttle set --node 50m, braid_throttle_set",
  })
  void commandsCallByTheirNames(String line, String context) {
    fail(line);
    assertEquals(List.of(context), seen);
    assertNull(CallerContext.getCurrent());
  }

  @Test
  void aContextThatIsSetStays() {
    CallerContext.setCurrent(new CallerContext.Builder("job").build());
    fail("convert /logs");
    assertEquals(List.of("job"), seen);
  }
}
