package org.braid.cli;

import java.io.IOException;
import picocli.CommandLine.Command;

@Command(
    name = "demo",
    description = "x",
    footer = {"", "Example:", "  braid demo"})
final class DemoCommand extends BaseCommand {
  static final String NAME = "demo";

  @Override
  Outcome perform() throws IOException {
    throw new IOException("not yet");
  }
}
