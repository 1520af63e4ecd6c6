package org.braid.cli.cluster;

import org.braid.cli.cluster.base.ClusterConnector;
import org.braid.cli.cluster.base.HdfsPath;
import org.braid.cli.cluster.policy.PolicyGroup;
import org.braid.cli.cluster.throttle.ThrottleGroup;
import org.braid.cli.command.Converters;
import org.braid.cli.command.Termination;
import org.braid.hdfs.api.ConvertRequest.Encode;
import org.braid.hdfs.api.ConvertRequest.Encoder;
import org.braid.hdfs.api.ConvertRequest.Group;
import org.braid.hdfs.api.ConvertRequest.Homes;
import org.braid.hdfs.api.view.UsageRequest.By;
import org.braid.hdfs.policy.Action;
import picocli.CommandLine;

/** The commands that work on a cluster. */
public final class ClusterCommands {
  private ClusterCommands() {}

  /** Adds the commands, and the readers of their values, to the program. */
  public static void addTo(CommandLine line, ClusterConnector connector, Termination termination) {
    line.addSubcommand(new ConvertCommand(connector, termination));
    line.addSubcommand(new RestoreCommand(connector, termination));
    line.addSubcommand(new CheckCommand(connector));
    line.addSubcommand(new StatusCommand(connector, termination));
    line.addSubcommand(new DuCommand(connector));
    line.addSubcommand(new FsckCommand(connector));
    line.addSubcommand(new RepairCommand(connector, termination));
    line.addSubcommand(new ScrubCommand(connector, termination));
    line.addSubcommand(new DaemonCommand(connector, termination));
    PolicyGroup.addTo(line, connector, termination);
    ThrottleGroup.addTo(line, connector);
    line.registerConverter(HdfsPath.class, text -> Converters.read(HdfsPath::parse, text));
    Converters.registerNames(line, "action", Action.class);
    Converters.registerNames(line, "encoder", Encoder.class);
    Converters.registerNames(line, "grouping", Group.class);
    Converters.registerNames(line, "distinction", By.class);
    Converters.registerNames(line, "encoding", Encode.class);
    Converters.registerNames(line, "choice of homes", Homes.class);
  }
}
