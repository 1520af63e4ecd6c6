package org.braid.cli.cluster.throttle;

import java.io.IOException;
import org.braid.cli.cluster.base.ClusterConnector;
import org.braid.hdfs.api.ThrottleControl;
import org.braid.hdfs.api.view.ThrottleView;
import picocli.CommandLine.Command;

@Command(
    name = "show",
    description = {
      "Shows the throttle in force, and where each part of it is from.",
      "Properties are those of this machine; a daemon elsewhere may have others."
    },
    footer = {"", "Example: what may be used now", "  braid throttle show"})
final class ThrottleShowCommand extends ThrottleCommand {
  ThrottleShowCommand(ClusterConnector connector) {
    super(connector);
  }

  @Override
  ThrottleView perform(ThrottleControl throttle) throws IOException {
    return throttle.show();
  }
}
