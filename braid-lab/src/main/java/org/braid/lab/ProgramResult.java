package org.braid.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.braid.experiment.TemporaryFiles;

/**
 * The output of a program.
 *
 * @param status its exit status
 */
public record ProgramResult(int status, String out, String err) {
  /** Runs a program and waits for its end. */
  public static ProgramResult of(ProcessBuilder builder) throws IOException, InterruptedException {
    Path out = TemporaryFiles.here().file("braid-lab-", ".out");
    Path err = TemporaryFiles.here().file("braid-lab-", ".err");
    try {
      Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
      return new ProgramResult(process.waitFor(), Files.readString(out), Files.readString(err));
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }

  /** All that it printed, in a line. */
  public String line() {
    String text = (out + err).strip().replaceAll("\\s*\\n\\s*", " | ");
    return "status %d: %s".formatted(status, text);
  }
}
