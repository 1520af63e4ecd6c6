package org.braid.lab.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.braid.hdfs.testkit.lab.Command;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ChaosTallyTest {
  @TempDir Path directory;

  @Test
  void operationsThatBeginDuringAFaultAreCounted() throws Exception {
    try (ChaosTally tally = new ChaosTally(directory.resolve("journal"))) {
      Command any = new Command.Truncate("/f", 7);
      tally.operation("client0", any);
      begin(tally, new Fault.KillNode("r0n0"));
      begin(tally, new Fault.CutLink("r1"));
      tally.operation("client0", any);
      tally.operation("client1", any);
      begin(tally, new Fault.JoinLink("r1"));
      tally.operation("client0", any);
      begin(tally, new Fault.StartNode("r0n0"));
      begin(tally, new Fault.Quiet(3));
      tally.operation("client0", any);
      Fault momentary = new Fault.PauseNameNode(3);
      tally.fault(momentary);
      tally.operation("client0", any);
      tally.ended(momentary);
      begin(tally, new Fault.FillDisk("r0n1"));
      tally.mended();
      tally.operation("client0", any);
      assertEquals(
          Map.of("kill-node", 3, "cut-link", 2, "pause-name-node", 1),
          tally.report(ChaosSettings.of(1, Duration.ofMinutes(1)), 1, 1).met());
    }
  }

  private static void begin(ChaosTally tally, Fault fault) {
    tally.fault(fault);
    tally.ended(fault);
  }
}
