package org.braid.cli.cluster.base;

import java.util.List;
import picocli.CommandLine.Parameters;

/** Base of commands on a file or a directory; by default on the whole cluster. */
public abstract class PathCommand extends ClusterCommand {
  @Parameters(
      arity = "0..1",
      defaultValue = "/",
      paramLabel = "PATH",
      description = "A file or directory, as in /logs; default: ${DEFAULT-VALUE}.")
  @SuppressWarnings("NullAway.Init")
  private HdfsPath path;

  protected PathCommand(ClusterConnector connector) {
    super(connector);
  }

  @Override
  protected final List<HdfsPath> paths() {
    return List.of(path);
  }

  protected final String path() {
    return located(path);
  }
}
