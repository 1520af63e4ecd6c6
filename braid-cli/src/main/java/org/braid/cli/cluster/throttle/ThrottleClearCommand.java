package org.braid.cli.cluster.throttle;

import java.io.IOException;
import org.braid.cli.cluster.base.ClusterConnector;
import org.braid.hdfs.api.ThrottleControl;
import org.braid.hdfs.api.view.ThrottleView;
import picocli.CommandLine.Command;

@Command(
    name = "clear",
    description = "Removes all settings of braid throttle set; the properties apply again.",
    footer = {"", "Example: as configured", "  braid throttle clear"})
final class ThrottleClearCommand extends ThrottleCommand {
  ThrottleClearCommand(ClusterConnector connector) {
    super(connector);
  }

  @Override
  ThrottleView perform(ThrottleControl throttle) throws IOException {
    return throttle.clear();
  }
}
