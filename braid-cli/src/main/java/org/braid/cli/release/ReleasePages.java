package org.braid.cli.release;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.AutoComplete;
import picocli.CommandLine;

/** Writes a release's version, manual pages and completion for bash. */
public final class ReleasePages {
  /** Lets bash complete {@code hdfs braid} as it completes {@code braid}. */
  private static final String HDFS =
      """

      # "hdfs braid ..." as "braid ..."; other commands of hdfs keep the completion that they have.
      if ! complete -p hdfs >/dev/null 2>&1; then
        _complete_hdfs_braid() {
          if [ "${COMP_WORDS[1]-}" = braid ]; then
            COMP_WORDS=("${COMP_WORDS[@]:1}")
            COMP_CWORD=$((COMP_CWORD - 1))
            _complete_braid "$@"
          fi
        }
        complete -F _complete_hdfs_braid -o default hdfs
      fi
      """;

  private ReleasePages() {}

  /**
   * Writes the pages of a command and of all below it.
   *
   * @param version of the release
   * @param directory gets {@code VERSION}, {@code man/man1} and {@code completion}
   */
  public static void write(CommandLine command, String version, Path directory) throws IOException {
    Files.createDirectories(directory);
    Files.writeString(directory.resolve("VERSION"), version + "\n");
    manual(command, version, Files.createDirectories(directory.resolve("man/man1")));
    Path completion = Files.createDirectories(directory.resolve("completion"));
    Files.writeString(
        completion.resolve("braid"), AutoComplete.bash(command.getCommandName(), command) + HDFS);
  }

  private static void manual(CommandLine command, String version, Path directory)
      throws IOException {
    Files.writeString(
        directory.resolve(ManualPage.name(command.getCommandSpec()) + ".1"),
        ManualPage.of(command, version));
    for (CommandLine sub : command.getSubcommands().values()) {
      manual(sub, version, directory);
    }
  }
}
