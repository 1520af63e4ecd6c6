package org.braid.hdfs.coordinator.convert;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.StoredFile;

/** Counts the unfinished stripes of each file. Thread-safe. */
final class StripesToFinish {
  private static final class Waiting {
    private final StoredFile file;
    private int stripes;

    Waiting(StoredFile file) {
      this.file = file;
    }
  }

  private final List<Waiting> files = new ArrayList<>();
  private final Map<Long, Waiting> ofBlock = new HashMap<>();

  StripesToFinish(Collection<StoredFile> files) {
    for (StoredFile file : files) {
      Waiting waiting = new Waiting(file);
      this.files.add(waiting);
      for (BlockStatus block : file.blocks()) {
        ofBlock.put(block.block().id(), waiting);
      }
    }
  }

  /** Counts a stripe; returns the files that wait for it. */
  synchronized List<StoredFile> begin(Collection<Long> blockIds) {
    Collection<Waiting> waiting = of(blockIds);
    waiting.forEach(each -> each.stripes++);
    return waiting.stream().map(each -> each.file).toList();
  }

  /** Ends a stripe; returns the files whose last stripe it was. */
  synchronized List<StoredFile> end(Collection<Long> blockIds) {
    Collection<Waiting> waiting = of(blockIds);
    waiting.forEach(each -> each.stripes--);
    return waiting.stream().filter(each -> each.stripes == 0).map(each -> each.file).toList();
  }

  /** Files without unfinished stripes. */
  synchronized List<StoredFile> withoutWork() {
    return files.stream().filter(each -> each.stripes == 0).map(each -> each.file).toList();
  }

  private Collection<Waiting> of(Collection<Long> blockIds) {
    Map<Long, Waiting> found = new LinkedHashMap<>();
    for (long id : blockIds) {
      Waiting waiting = ofBlock.get(id);
      if (waiting != null) {
        found.put(waiting.file.inode(), waiting);
      }
    }
    return found.values();
  }
}
