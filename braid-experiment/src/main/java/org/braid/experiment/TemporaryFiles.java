package org.braid.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.braid.experiment.text.FileFailures;

/** New files and directories in the system's directory for temporary files. */
public final class TemporaryFiles {
  private final Path place;

  TemporaryFiles(Path place) {
    this.place = place;
  }

  /** The temporary files of this process. */
  public static TemporaryFiles here() {
    return new TemporaryFiles(Path.of(System.getProperty("java.io.tmpdir", "/tmp")));
  }

  /**
   * Makes a directory.
   *
   * @throws IOException when it cannot, with the remedy
   */
  public Path directory(String prefix) throws IOException {
    try {
      return Files.createTempDirectory(place, prefix);
    } catch (IOException e) {
      throw failure(e);
    }
  }

  /**
   * Makes a file.
   *
   * @throws IOException when it cannot, with the remedy
   */
  public Path file(String prefix, String suffix) throws IOException {
    try {
      return Files.createTempFile(place, prefix, suffix);
    } catch (IOException e) {
      throw failure(e);
    }
  }

  private IOException failure(IOException e) {
    return new IOException(
        ("cannot write to %s, the directory for temporary files (%s): name another one by"
                + " BRAID_JAVA_OPTS=-Djava.io.tmpdir=DIR")
            .formatted(place, FileFailures.reason(e)),
        e);
  }
}
