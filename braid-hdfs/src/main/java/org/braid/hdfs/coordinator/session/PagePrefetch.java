package org.braid.hdfs.coordinator.session;

import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.braid.thread.DaemonThreads;

/**
 * Reads the pages of a long answer, and requests the next page while the caller works on the
 * current one. At most one page waits.
 */
public final class PagePrefetch<T> implements Closeable {
  private final ExecutorService asker =
      Executors.newSingleThreadExecutor(DaemonThreads.named("braid-ahead"));

  private final Question<T> question;
  private Optional<Future<T>> next;

  /** Requests pages. */
  public interface Question<T> {
    /** Requests the page after another one; the first page after none. */
    T ask(Optional<T> last) throws IOException;

    /** Whether more pages follow. */
    boolean isMore(T page);
  }

  /** Requests the first page at once. */
  public PagePrefetch(Question<T> question) {
    this.question = question;
    next = Optional.of(behind(Optional.empty()));
  }

  private Future<T> behind(Optional<T> last) {
    return asker.submit(() -> question.ask(last));
  }

  /** The next page; empty after the last one. */
  public Optional<T> next() throws IOException {
    if (next.isEmpty()) {
      return Optional.empty();
    }
    T page = Parallel.result(next.get());
    next = question.isMore(page) ? Optional.of(behind(Optional.of(page))) : Optional.empty();
    return Optional.of(page);
  }

  /** Requests no further page, and does not wait for a running request. */
  @Override
  public void close() {
    asker.shutdownNow();
  }
}
