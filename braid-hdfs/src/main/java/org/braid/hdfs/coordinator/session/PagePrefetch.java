package org.braid.hdfs.coordinator.session;

import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.braid.thread.DaemonThreads;

/**
 * The pages of a long answer, of which the next one is asked for while the present one is worked
 * on, so that asker and answerer are busy at the same time. At most one page waits.
 */
public final class PagePrefetch<T> implements Closeable {
  private final ExecutorService asker =
      Executors.newSingleThreadExecutor(DaemonThreads.named("braid-ahead"));

  private final Question<T> question;
  private Optional<Future<T>> next;

  /** What is asked for a page. */
  public interface Question<T> {
    /** The page behind another one; behind none the first. */
    T ask(Optional<T> last) throws IOException;

    /** Whether there are more behind a page. */
    boolean isMore(T page);
  }

  /** Asks for the first page at once. */
  public PagePrefetch(Question<T> question) {
    this.question = question;
    next = Optional.of(behind(Optional.empty()));
  }

  private Future<T> behind(Optional<T> last) {
    return asker.submit(() -> question.ask(last));
  }

  /** The next page; empty behind the last one. */
  public Optional<T> next() throws IOException {
    if (next.isEmpty()) {
      return Optional.empty();
    }
    T page = Parallel.result(next.get());
    next = question.isMore(page) ? Optional.of(behind(Optional.of(page))) : Optional.empty();
    return Optional.of(page);
  }

  /** Asks for no other page; what is being asked is not waited for. */
  @Override
  public void close() {
    asker.shutdownNow();
  }
}
