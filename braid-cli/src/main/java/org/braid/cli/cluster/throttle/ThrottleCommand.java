package org.braid.cli.cluster.throttle;

import java.io.IOException;
import org.braid.cli.cluster.base.ClusterCommand;
import org.braid.cli.cluster.base.ClusterConnector;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.ExitStatus;
import org.braid.cli.text.Json;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.ThrottleControl;
import org.braid.hdfs.api.view.ThrottleView;

/** Base of the commands on the throttle. */
abstract class ThrottleCommand extends ClusterCommand {
  ThrottleCommand(ClusterConnector connector) {
    super(connector);
  }

  /** Does the work; returns the limits that then hold. */
  abstract ThrottleView perform(ThrottleControl throttle) throws IOException;

  @Override
  protected CommandResult perform(Cluster cluster) throws IOException {
    ThrottleView view = perform(cluster.throttle());
    return new CommandResult(
        ExitStatus.DONE, Json.of(view).put("ok", true), ThrottleText.lines(view));
  }
}
