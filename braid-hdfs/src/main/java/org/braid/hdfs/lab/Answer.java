package org.braid.hdfs.lab;

import java.util.List;
import java.util.Map;
import org.braid.hdfs.api.RepairReport;
import org.braid.hdfs.api.Traffic;

/** What a {@link LabDriver} answers. Times are in seconds, sizes in bytes. */
public sealed interface Answer {
  /** It was done. */
  record Done(double seconds) implements Answer {}

  /**
   * Files were written.
   *
   * @param bytes of all of them
   */
  record Written(double seconds, long bytes, List<WrittenFile> files) implements Answer {
    public Written {
      files = List.copyOf(files);
    }
  }

  /**
   * A file was written.
   *
   * @param crc32c of its content, as an unsigned number
   */
  record WrittenFile(String path, long bytes, long crc32c, double seconds) {}

  /**
   * A range was read.
   *
   * @param seconds from opening the file to the last byte
   * @param crc32c of what was read, as an unsigned number
   * @param counters what the client counted, by name
   */
  record Been(double seconds, long bytes, long crc32c, Map<String, Long> counters)
      implements Answer {}

  /**
   * Files were copied.
   *
   * @param bytes of their content
   * @param usedBefore bytes that all DataNodes used before
   * @param usedPeak the most they used meanwhile, as far as samples tell
   */
  record Copied(double seconds, long bytes, int files, long usedBefore, long usedPeak)
      implements Answer {}

  /**
   * Files were converted.
   *
   * @param encodeSeconds from the start of the first stripe's encoding to the end of the last one's
   * @param encoding traffic of encoding and of storing parity
   * @param relocation traffic of relocation
   * @param usedBefore bytes that all DataNodes used before
   * @param usedPeak the most they used meanwhile, as far as samples tell
   * @param skipped paths that were left alone, with the reason
   */
  record Converted(
      double seconds,
      double encodeSeconds,
      int stripes,
      int dataBlocks,
      int crossRackDataBlocks,
      int relocatedBlocks,
      int pipelinedStripes,
      Traffic encoding,
      Traffic relocation,
      long storedBefore,
      long storedAfter,
      long usedBefore,
      long usedPeak,
      List<String> skipped)
      implements Answer {
    public Converted {
      skipped = List.copyOf(skipped);
    }
  }

  /**
   * What was lost was rebuilt.
   *
   * @param seconds from the order to its end
   * @param rebuildSeconds of the stripes: from when one is taken in hand until its blocks are
   *     published; the mean
   * @param verifySeconds of those, until the NameNode knows of what was rebuilt and it was read
   *     back
   * @param publishSeconds of those, until the new homes are recorded and pinned
   * @param phases of the nodes that rebuilt, the mean
   * @param unrepairable what could not be rebuilt, with the reason
   */
  record Repaired(
      double seconds,
      double rebuildSeconds,
      double verifySeconds,
      double publishSeconds,
      List<RebuiltBlock> blocks,
      RepairReport.Phases phases,
      Traffic traffic,
      List<String> unrepairable)
      implements Answer {
    public Repaired {
      blocks = List.copyOf(blocks);
      unrepairable = List.copyOf(unrepairable);
    }
  }

  /** A rebuilt block: the file it belongs to, its position in the stripe, where it is now. */
  record RebuiltBlock(String path, int position, String node) {}

  /** Where blocks are. */
  record Placed(List<Block> blocks) implements Answer {
    public Placed {
      blocks = List.copyOf(blocks);
    }
  }

  /**
   * A block, or a group of HDFS's own stripes.
   *
   * @param index its number in the file
   * @param offset of its first byte in the file
   * @param nodes who has a replica, or a unit
   */
  record Block(String path, int index, long offset, long bytes, List<Node> nodes) {
    public Block {
      nodes = List.copyOf(nodes);
    }
  }

  /** A DataNode: its host name and its network location. */
  record Node(String host, String rack) {}

  /** A replica was copied. */
  record Moved(double seconds, long bytes, String from, String to) implements Answer {}

  /**
   * What is stored.
   *
   * @param content bytes of the files
   * @param stored bytes of all their replicas or units, and of the parity that protects them
   * @param used bytes that all DataNodes use, for whatever
   */
  record Stored(long content, long stored, long used) implements Answer {}

  /**
   * All blocks are as they are to be.
   *
   * @param brokenAfter when something was missing for the first time; -1: nothing was
   * @param wholeAfter when nothing was missing any more
   * @param units blocks, or units of stripes, that were missing at most
   */
  record Whole(double brokenAfter, double wholeAfter, int units) implements Answer {}

  /**
   * What a load was like.
   *
   * @param seconds from its start to the end of its last request
   * @param bytes read or written
   * @param requests those that ended well
   * @param failures messages of those that did not
   */
  record Load(double seconds, long bytes, List<Request> requests, List<String> failures)
      implements Answer {
    public Load {
      requests = List.copyOf(requests);
      failures = List.copyOf(failures);
    }
  }

  /**
   * A request of a load.
   *
   * @param at when it was due, in seconds since the driver started
   * @param seconds until it ended
   * @param thread which thread it was, from 0
   */
  record Request(double at, double seconds, long bytes, int thread) {}
}
