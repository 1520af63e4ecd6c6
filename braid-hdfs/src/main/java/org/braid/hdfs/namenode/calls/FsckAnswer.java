package org.braid.hdfs.namenode.calls;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.function.Supplier;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpServletResponseWrapper;
import org.jspecify.annotations.Nullable;

/**
 * The answer of an {@code fsck} that can be stopped. HDFS writes its findings on a file before it
 * deletes or moves the file. When the run must stop, this answer fails the next write.
 */
final class FsckAnswer extends HttpServletResponseWrapper {
  private final Supplier<Optional<String>> stopped;
  private @Nullable PrintWriter writer;

  /**
   * Wraps an answer.
   *
   * @param stopped the reason why {@code fsck} must delete no more files; empty while there is none
   */
  FsckAnswer(HttpServletResponse answer, Supplier<Optional<String>> stopped) {
    super(answer);
    this.stopped = stopped;
  }

  @Override
  public PrintWriter getWriter() throws IOException {
    PrintWriter present = writer;
    if (present == null) {
      present = new Checked(super.getWriter());
      writer = present;
    }
    return present;
  }

  private final class Checked extends PrintWriter {
    private boolean ended;

    Checked(PrintWriter to) {
      super(to);
    }

    /** Once: that ends it, and it says why. */
    private void check() {
      Optional<String> why = ended ? Optional.empty() : stopped.get();
      if (why.isPresent()) {
        ended = true;
        throw new IllegalStateException(why.get());
      }
    }

    @Override
    public void write(int c) {
      check();
      super.write(c);
    }

    @Override
    public void write(char[] text, int offset, int length) {
      check();
      super.write(text, offset, length);
    }

    @Override
    public void write(String text, int offset, int length) {
      check();
      super.write(text, offset, length);
    }
  }
}
