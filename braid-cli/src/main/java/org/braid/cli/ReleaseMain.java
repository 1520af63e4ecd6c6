package org.braid.cli;

import java.io.IOException;
import java.nio.file.Path;
import org.braid.cli.command.Termination;
import org.braid.cli.release.ReleasePages;
import org.braid.hdfs.Braid;

/** The program that the build of a release runs. */
public final class ReleaseMain {
  private ReleaseMain() {}

  /**
   * Writes the version, manual pages and completion.
   *
   * @param args the directory and the version
   */
  public static void main(String[] args) throws IOException {
    ReleasePages.write(
        Main.commandLine(Braid::connect, Termination.ofCommand()), args[1], Path.of(args[0]));
  }
}
