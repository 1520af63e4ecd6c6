package org.braid.cli.cluster.throttle;

import org.braid.cli.cluster.base.ClusterConnector;
import org.braid.cli.command.CommandGroup;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The parent of the commands on the throttle. */
@Command(
    name = "throttle",
    description = {
      "Limits the bytes a second that conversion and repair move, also while they run.",
      "Repairs that readers wait for, and those of stripes whose next loss may cost data, are not"
          + " throttled."
    },
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Example: conversion and repair leave most of each rack's uplink to users",
      "  braid throttle set --uplink 200m --node 50m",
      "and at night they may have all",
      "  braid throttle clear"
    })
public final class ThrottleGroup extends CommandGroup {
  private ThrottleGroup() {}

  /** Adds the commands to the program. */
  public static void addTo(CommandLine line, ClusterConnector connector) {
    CommandLine group = new CommandLine(new ThrottleGroup());
    group.addSubcommand(new ThrottleShowCommand(connector));
    group.addSubcommand(new ThrottleSetCommand(connector));
    group.addSubcommand(new ThrottleClearCommand(connector));
    line.addSubcommand(group);
  }
}
