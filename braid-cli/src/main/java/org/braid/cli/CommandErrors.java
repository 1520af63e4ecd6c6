package org.braid.cli;

import java.io.FileNotFoundException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.Objects;
import java.util.regex.Pattern;
import org.braid.cli.command.ExitStatus;
import org.braid.code.UnknownCodeException;
import org.braid.experiment.ExperimentException;
import org.braid.hdfs.api.RefusedException;
import org.braid.placement.PlacementException;
import org.braid.shard.report.ShardRefusedException;
import picocli.CommandLine;

/** Exit status and one-line reason of an exception. */
final class CommandErrors {
  /** How HDFS says that a path is not there; of a lost lease it says more, which stays. */
  private static final Pattern MISSING =
      Pattern.compile(
          "^(?:File does not exist: (/(?!.* \\(inode \\d+\\) ).*)|File (/.*) does not exist\\.)$");

  private CommandErrors() {}

  static int status(Throwable error) {
    Throwable cause = unwrap(error);
    if (cause instanceof RefusedException refused && refused.isMisuse()) {
      return ExitStatus.USAGE;
    }
    if (cause instanceof RefusedException
        || cause instanceof PlacementException
        || cause instanceof ShardRefusedException) {
      return ExitStatus.REFUSED;
    }
    if (cause instanceof ExperimentException experiment) {
      return switch (experiment.cause()) {
        case WRONG -> ExitStatus.USAGE;
        case REFUSED -> ExitStatus.REFUSED;
        case TRIAL, FAILED -> ExitStatus.FAILED;
      };
    }
    return cause instanceof UnknownCodeException ? ExitStatus.USAGE : ExitStatus.FAILED;
  }

  /** The reason in one line, without the name of the program. */
  static String line(Throwable error) {
    Throwable cause = unwrap(error);
    if (cause instanceof OutOfMemoryError) {
      long mebibytes = Runtime.getRuntime().maxMemory() >> 20;
      return ("out of memory (%d MiB): give more with BRAID_JAVA_OPTS=-Xmx%dm, to hdfs braid with"
              + " HADOOP_HEAPSIZE_MAX=%dm")
          .formatted(mebibytes, 2 * mebibytes, 2 * mebibytes);
    }
    String message = Objects.requireNonNullElse(cause.getMessage(), "");
    if (cause instanceof NoSuchFileException file && file.getReason() == null) {
      message = "no such file: " + file.getFile();
    } else if (cause instanceof AccessDeniedException file && file.getReason() == null) {
      message = "no permission for " + file.getFile();
    } else if (cause instanceof FileAlreadyExistsException file && file.getReason() == null) {
      message = "there is a file already: " + file.getFile();
    } else if (cause instanceof FileNotFoundException) {
      message = MISSING.matcher(firstLine(message)).replaceFirst("$1$2 does not exist");
    } else if (cause instanceof RuntimeException
        && !(cause instanceof PlacementException)
        && !(cause instanceof CommandLine.ParameterException)
        && !(cause instanceof UnknownCodeException)) {
      message = "internal error, " + cause.getClass().getSimpleName() + ": " + message;
    }
    String first = firstLine(message);
    return first.isEmpty() ? cause.getClass().getSimpleName() : first;
  }

  /** The first line of a message that is not blank. */
  static String firstLine(String message) {
    return message
        .lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .findFirst()
        .orElse("");
  }

  private static Throwable unwrap(Throwable error) {
    Throwable cause = error;
    while (cause instanceof UncheckedIOException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }
}
