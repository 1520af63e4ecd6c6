package org.braid.lab;

import java.nio.file.Path;
import org.braid.experiment.RunProgress;
import org.braid.lab.network.LabTopology;
import org.braid.lab.network.LinkLimits;

/** A process that has a lab: starts one and waits to be killed, or starts one that is kept. */
final class LabMain {
  private LabMain() {}

  static LabSettings settings() {
    return LabSettings.of(LabTopology.parse("1x1", 1), LinkLimits.of(12.5e6, 1))
        .withRoom(256 << 20);
  }

  public static void main(String[] args) throws Exception {
    LabRegistry labs = LabRegistry.in(Path.of(args[0]));
    if (args[1].equals("up")) {
      labs.up(settings(), RunProgress.NONE);
      return;
    }
    try (Lab lab = LabStarter.start(labs, settings(), RunProgress.NONE)) {
      System.out.println("up");
      Thread.sleep(600_000);
    }
  }
}
