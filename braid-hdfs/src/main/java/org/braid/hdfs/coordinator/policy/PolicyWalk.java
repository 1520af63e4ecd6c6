package org.braid.hdfs.coordinator.policy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.braid.hdfs.coordinator.session.NameNodeCalls.FilePage;
import org.braid.hdfs.rpc.Rpc;
import org.braid.hdfs.stripe.StoredFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A walk through the files at and below some paths, page by page. */
final class PolicyWalk {
  private static final Logger LOG = LoggerFactory.getLogger(PolicyWalk.class);

  private final BiConsumer<String, String> refused;
  private final Deque<String> roots = new ArrayDeque<>();
  private Optional<String> after = Optional.empty();

  /** Asks the NameNode for files. */
  interface Pages {
    /** The next files at or below a path. */
    FilePage filesAfter(String path, Optional<String> after) throws IOException;
  }

  /** Takes files. */
  interface Taker {
    void take(List<StoredFile> files) throws IOException;
  }

  /**
   * Creates a walk that has ended.
   *
   * @param refused called with each path that the NameNode refuses to list, and the reason
   */
  PolicyWalk(BiConsumer<String, String> refused) {
    this.refused = refused;
  }

  /** Creates the walk of a command, which skips the same paths as the daemon and logs them. */
  static PolicyWalk logged(Collection<String> paths) {
    PolicyWalk walk =
        new PolicyWalk((path, why) -> LOG.info("no policy takes files below {}: {}", path, why));
    walk.begin(paths);
    return walk;
  }

  /** Begins anew. */
  void begin(Collection<String> paths) {
    end();
    roots.addAll(paths);
  }

  /** Breaks the walk off. */
  void end() {
    roots.clear();
    after = Optional.empty();
  }

  /** Whether all was listed. */
  boolean hasEnded() {
    return roots.isEmpty();
  }

  /**
   * Passes on the next files, maybe none. Skips paths that do not exist or that the NameNode
   * refuses to list.
   *
   * @throws IOException when the NameNode could not be asked, or files could not be taken: the next
   *     call begins with the same ones
   */
  void next(Pages pages, Taker taker) throws IOException {
    FilePage page;
    try {
      page = pages.filesAfter(roots.element(), after);
    } catch (FileNotFoundException e) {
      page = new FilePage(List.of(), Optional.empty());
    } catch (IOException e) {
      if (!Rpc.isFinding(e)) {
        throw e;
      }
      refused.accept(roots.element(), Rpc.reason(e));
      page = new FilePage(List.of(), Optional.empty());
    }
    taker.take(page.files());
    after = page.last();
    if (after.isEmpty()) {
      roots.remove();
    }
  }
}
