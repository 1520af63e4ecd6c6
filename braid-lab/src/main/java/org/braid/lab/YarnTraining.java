package org.braid.lab;

import java.util.List;
import java.util.Map;
import org.braid.experiment.ExperimentException;
import org.braid.hdfs.testkit.job.JobKind;
import org.braid.hdfs.testkit.job.JobSpec;
import org.braid.hdfs.testkit.job.TextContent;
import org.braid.hdfs.testkit.lab.Command;
import org.braid.hdfs.testkit.lab.LabDriver;
import org.braid.lab.daemon.YarnDaemons;
import org.braid.lab.network.LabTopology;
import org.braid.lab.network.LinkLimits;

/** Runs the usual jobs once on a small lab, so that its JVMs list the classes that they load. */
final class YarnTraining {
  /** The lab. */
  static final LabSettings LAB =
      LabSettings.of(LabTopology.parse("1x1", 1), LinkLimits.NONE)
          .withRoom(2L << 30)
          .withNodeManagers(1);

  private static final String TEXT = "/text";
  private static final int BYTES = 1 << 20;

  private YarnTraining() {}

  static void run(Lab lab) throws ExperimentException, InterruptedException {
    List<String> arguments = List.of("-conf", lab.configuration().toString(), "-fs", lab.uri());
    Driver driver = lab.driver("c0", LabDriver.class.getName(), arguments);
    give(driver, new Command.WriteText(TEXT, BYTES, 1, BYTES, 1));
    for (JobKind kind : JobKind.values()) {
      JobSpec job = JobSpec.of(kind, TEXT, "/" + kind.named(), TextContent.WORD, 1);
      give(driver, new Command.RunJob(job, Command.Client.BRAID, Map.of()));
    }
    // A killed JVM does not write its list to the end; the rest of one is missed by nobody.
    for (String role : YarnDaemons.roles(lab.topology(), lab.settings().nodeManagers())) {
      lab.askToEnd(role);
    }
  }

  private static void give(Driver driver, Command command)
      throws ExperimentException, InterruptedException {
    driver.call(LabDriver.JSON.valueToTree(command));
  }
}
