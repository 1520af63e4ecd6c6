package org.braid.hdfs.testkit.lab;

import java.util.List;
import java.util.Map;
import org.braid.hdfs.api.RepairReport;
import org.braid.hdfs.api.Traffic;
import org.braid.hdfs.testkit.job.JobResult;

/** The answers of a {@link LabDriver}. Times are in seconds, sizes in bytes. */
public sealed interface Answer {
  /** A command without a result was executed. */
  record Done(double seconds) implements Answer {}

  /**
   * Files were written.
   *
   * @param bytes of all files
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
   * @param crc32c of the bytes read, as an unsigned number
   * @param counters counters of the client, by name
   */
  record RangeRead(double seconds, long bytes, long crc32c, Map<String, Long> counters)
      implements Answer {}

  /** A job ran. */
  record RanJob(JobResult result) implements Answer {}

  /**
   * Files were copied.
   *
   * @param bytes of their content
   * @param usedBefore bytes that all DataNodes used before
   * @param usedPeak the most they used meanwhile, by samples
   */
  record Copied(double seconds, long bytes, int files, long usedBefore, long usedPeak)
      implements Answer {}

  /**
   * Files were converted.
   *
   * @param encodeSeconds from the start of the first encoding to the end of the last one
   * @param encoding traffic of encoding and of storing parity
   * @param relocation traffic of relocation
   * @param usedBefore bytes that all DataNodes used before
   * @param usedPeak the most they used meanwhile, by samples
   * @param skipped paths that were not converted, with the reason
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
   * The prediction of a conversion or a repair.
   *
   * @param savedBytes bytes of replicas less those of parity; 0 for a repair
   * @param crossRackBytes bytes between racks
   * @param seconds lower bound of the time
   */
  record Foreseen(long savedBytes, long crossRackBytes, double seconds) implements Answer {}

  /**
   * Lost blocks were rebuilt.
   *
   * @param seconds of the whole command
   * @param rebuildSeconds mean over stripes, from the start of the repair until its blocks are
   *     published
   * @param verifySeconds mean over stripes, until the NameNode lists the rebuilt blocks and they
   *     were read back
   * @param publishSeconds mean over stripes, until the new homes are recorded and pinned
   * @param phases mean over the nodes that rebuilt
   * @param unrepairable stripes that could not be rebuilt, with the reason
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

  /** A rebuilt block: its file, its position in the stripe, its new node. */
  record RebuiltBlock(String path, int position, String node) {}

  /** Blocks and their nodes. */
  record BlockLocations(List<Block> blocks) implements Answer {
    public BlockLocations {
      blocks = List.copyOf(blocks);
    }
  }

  /**
   * A block, or a block group of HDFS's own erasure coding.
   *
   * @param index its number in the file
   * @param name as HDFS prints it, {@code blk_...}
   * @param offset of its first byte in the file
   * @param nodes the nodes with a replica, or a unit
   */
  record Block(String path, int index, String name, long offset, long bytes, List<Node> nodes) {
    public Block {
      nodes = List.copyOf(nodes);
    }
  }

  /** A DataNode: its host name and its network location. */
  record Node(String host, String rack) {}

  /** A replica was copied. */
  record Moved(double seconds, long bytes, String from, String to) implements Answer {}

  /**
   * Use of space.
   *
   * @param content bytes of the files
   * @param stored bytes of their replicas or units and of their parity
   * @param used bytes that all DataNodes use for all files
   */
  record Stored(long content, long stored, long used) implements Answer {}

  /**
   * The number of files.
   *
   * @param converted those that are to have one replica
   */
  record Counted(int files, int converted) implements Answer {}

  /**
   * All blocks have their expected replicas or units.
   *
   * @param brokenAfter when a replica was first missing; -1: never
   * @param wholeAfter when none was missing any more
   * @param units largest number of missing replicas or units
   */
  record Whole(double brokenAfter, double wholeAfter, int units) implements Answer {}

  /**
   * The requests of a load.
   *
   * @param seconds from its start to the end of its last request
   * @param bytes read or written
   * @param requests successful requests
   * @param failures messages of failed requests
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
   * @param at due time in seconds since the start of the driver
   * @param seconds from the due time to its end
   * @param thread number of the thread, from 0
   */
  record Request(double at, double seconds, long bytes, int thread) {}

  /**
   * A range was compared.
   *
   * @param fileBytes bytes of the whole file
   * @param equal bytes of the range up to the first that differs or is missing
   */
  record Compared(double seconds, long fileBytes, long equal) implements Answer {}

  /**
   * The findings of Braid's check.
   *
   * @param lost files with blocks that can be neither read nor rebuilt, with the reason
   */
  record Findings(long healthy, long degraded, long repairable, List<String> lost)
      implements Answer {
    public Findings {
      lost = List.copyOf(lost);
    }
  }

  /** The checksum of a file, as an unsigned number. */
  record Checked(long crc32c) implements Answer {}

  /**
   * The state of all files and stripes, with its problems.
   *
   * @param files number of files
   * @param bytes bytes of their content
   * @param convertedFiles number of files with a block in a stripe
   * @param stripes number of all stripes
   * @param problems one line for each file, block, stripe or leftover that is not in order
   */
  record Audited(int files, long bytes, int convertedFiles, int stripes, List<String> problems)
      implements Answer {
    public Audited {
      problems = List.copyOf(problems);
    }
  }
}
