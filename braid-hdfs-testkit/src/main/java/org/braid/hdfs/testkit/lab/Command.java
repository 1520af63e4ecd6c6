package org.braid.hdfs.testkit.lab;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import java.util.Map;
import org.braid.hdfs.api.ConvertRequest;
import org.braid.hdfs.testkit.job.JobSpec;

/**
 * The commands of a {@link LabDriver}: JSON objects whose key {@code do} names the command. All
 * keys are required; each command defines the meaning of an empty text and of 0. Times are in
 * seconds, sizes in bytes.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "do")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Command.MakeDirectory.class, name = "make-directory"),
  @JsonSubTypes.Type(value = Command.Write.class, name = "write"),
  @JsonSubTypes.Type(value = Command.WriteText.class, name = "write-text"),
  @JsonSubTypes.Type(value = Command.RunJob.class, name = "run-job"),
  @JsonSubTypes.Type(value = Command.Read.class, name = "read"),
  @JsonSubTypes.Type(value = Command.Copy.class, name = "copy"),
  @JsonSubTypes.Type(value = Command.Delete.class, name = "delete"),
  @JsonSubTypes.Type(value = Command.Convert.class, name = "convert"),
  @JsonSubTypes.Type(value = Command.ForeseeConversion.class, name = "foresee-conversion"),
  @JsonSubTypes.Type(value = Command.ForeseeRepair.class, name = "foresee-repair"),
  @JsonSubTypes.Type(value = Command.Restore.class, name = "restore"),
  @JsonSubTypes.Type(value = Command.Repair.class, name = "repair"),
  @JsonSubTypes.Type(value = Command.Throttle.class, name = "throttle"),
  @JsonSubTypes.Type(value = Command.Blocks.class, name = "blocks"),
  @JsonSubTypes.Type(value = Command.MoveBlock.class, name = "move-block"),
  @JsonSubTypes.Type(value = Command.Usage.class, name = "usage"),
  @JsonSubTypes.Type(value = Command.CountConverted.class, name = "count-converted"),
  @JsonSubTypes.Type(value = Command.AwaitNodes.class, name = "await-nodes"),
  @JsonSubTypes.Type(value = Command.AwaitWhole.class, name = "await-whole"),
  @JsonSubTypes.Type(value = Command.StartLoad.class, name = "start-load"),
  @JsonSubTypes.Type(value = Command.StopLoad.class, name = "stop-load"),
  @JsonSubTypes.Type(value = Command.Create.class, name = "create"),
  @JsonSubTypes.Type(value = Command.Append.class, name = "append"),
  @JsonSubTypes.Type(value = Command.Truncate.class, name = "truncate"),
  @JsonSubTypes.Type(value = Command.Concat.class, name = "concat"),
  @JsonSubTypes.Type(value = Command.Rename.class, name = "rename"),
  @JsonSubTypes.Type(value = Command.SetReplication.class, name = "set-replication"),
  @JsonSubTypes.Type(value = Command.SetMode.class, name = "set-mode"),
  @JsonSubTypes.Type(value = Command.AllowSnapshots.class, name = "allow-snapshots"),
  @JsonSubTypes.Type(value = Command.Snapshot.class, name = "snapshot"),
  @JsonSubTypes.Type(value = Command.DropSnapshot.class, name = "drop-snapshot"),
  @JsonSubTypes.Type(value = Command.Compare.class, name = "compare"),
  @JsonSubTypes.Type(value = Command.Checksum.class, name = "checksum"),
  @JsonSubTypes.Type(value = Command.ReportBad.class, name = "report-bad"),
  @JsonSubTypes.Type(value = Command.RefreshNodes.class, name = "refresh-nodes"),
  @JsonSubTypes.Type(value = Command.Audit.class, name = "audit"),
  @JsonSubTypes.Type(value = Command.DeleteCorrupt.class, name = "delete-corrupt"),
  @JsonSubTypes.Type(value = Command.Fsck.class, name = "fsck")
})
public sealed interface Command {
  /** The client that reads. */
  enum Client {
    /** HDFS's own, which knows nothing of Braid. */
    PLAIN,
    /** Braid's file system: reads through lost blocks, several blocks at once. */
    BRAID
  }

  /** The requests of a load. */
  enum Work {
    /** Reads ranges of existing files. */
    READ,
    /** Writes new files. */
    WRITE
  }

  /**
   * Makes a directory.
   *
   * @param ear value of Braid's attribute, such as {@code rs-6-3}; empty: none
   * @param policy HDFS's own erasure coding policy, such as {@code RS-6-3-1024k}; empty: none
   */
  record MakeDirectory(String path, String ear, String policy) implements Command {}

  /**
   * Writes files with HDFS's own client; answered by {@link Answer.Written}.
   *
   * @param path of the file, or of the directory of several
   * @param files number of files; several are named {@code 0}, {@code 1} and so on below the path
   * @param bytes of each file
   * @param replication of each file; ignored with HDFS's own erasure coding
   * @param parallel files at once, at least 1
   * @param seed of the content
   */
  record Write(
      String path, int files, long bytes, int replication, long blockBytes, int parallel, long seed)
      implements Command {}

  /**
   * Writes a file of text with HDFS's own client: lines of words, some of them frequent; answered
   * by {@link Answer.Written}.
   *
   * @param seed of the content
   */
  record WriteText(String path, long bytes, int replication, long blockBytes, long seed)
      implements Command {}

  /**
   * Runs a job on YARN and waits for its end; answered by {@link Answer.RanJob}.
   *
   * @param client the client of the job, and of its tasks
   * @param properties of the job's configuration
   */
  record RunJob(JobSpec job, Client client, Map<String, String> properties) implements Command {}

  /**
   * Reads a range of a file; answered by {@link Answer.RangeRead}.
   *
   * @param client the client that reads
   * @param properties of the client's configuration
   * @param length bytes; 0: to the file's end
   * @param positioned whether to read the range by one positioned read of at most 1 GiB instead of
   *     sequentially
   */
  record Read(
      String path,
      Client client,
      Map<String, String> properties,
      long offset,
      long length,
      boolean positioned)
      implements Command {}

  /**
   * Copies the files of a directory into another one, through this process; answered by {@link
   * Answer.Copied}.
   *
   * @param parallel files at once, at least 1
   * @param replace whether each copy replaces its original, as in conversion by copying
   */
  record Copy(String from, String to, int parallel, boolean replace) implements Command {}

  /** Deletes a file or a directory tree if it exists. */
  record Delete(String path) implements Change {}

  /**
   * Copies of parity and limits of the placement of a stripe.
   *
   * @param perRack largest number of blocks of a stripe in a rack; 0: the smallest possible
   * @param targetRacks number of target racks; 0: all racks
   * @param sites the policy over sites; empty: by racks alone
   * @param parityCopies how often each parity is stored, at least 1
   */
  record Placement(int perRack, int targetRacks, String sites, int parityCopies) {
    /** Whatever fits, each parity once. */
    public static final Placement USUAL = new Placement(0, 0, "", 1);

    /**
     * A placement with at most {@code blocks} blocks of a stripe in a rack; 0 for the fewest
     * possible.
     */
    public static Placement perRack(int blocks) {
      return new Placement(blocks, 0, "", 1);
    }
  }

  /**
   * Converts by Braid; answered by {@link Answer.Converted}.
   *
   * @param parallel stripes at once, at least 1
   */
  record Convert(
      List<String> paths,
      String code,
      Placement placement,
      ConvertRequest.Method method,
      int parallel,
      int sliceBytes,
      long seed)
      implements Command {
    public Convert {
      paths = List.copyOf(paths);
    }
  }

  /** Predicts a conversion without starting it; answered by {@link Answer.Foreseen}. */
  record ForeseeConversion(Convert conversion) implements Command {}

  /** Turns converted files back into replication; answered by {@link Answer.Done}. */
  record Restore(String path) implements Command {}

  /**
   * Rebuilds lost blocks by Braid; answered by {@link Answer.Repaired}.
   *
   * @param scheduler name of a scheduler; empty: as configured
   * @param perNode largest number of concurrent repairs of a node; 0: as configured
   * @param perUplink largest number of concurrent repairs across an uplink; 0: as configured
   */
  record Repair(
      String path,
      String shape,
      String scheduler,
      int perNode,
      int perUplink,
      int parallel,
      int sliceBytes,
      long seed)
      implements Command {}

  /** Predicts a repair without starting it; answered by {@link Answer.Foreseen}. */
  record ForeseeRepair(Repair repair) implements Command {}

  /**
   * Sets the limits of background work in bytes a second, and replaces all earlier limits.
   *
   * @param limits limits by kind of link, as in {@code braid throttle set}; empty for the
   *     configured ones
   */
  record Throttle(Map<String, String> limits) implements Command {
    public Throttle {
      limits = Map.copyOf(limits);
    }
  }

  /** Checks files by Braid; answered by {@link Answer.Findings}. */
  record Fsck(String path) implements Command {}

  /**
   * Has HDFS's own {@code fsck -delete} look for files that it takes for lost. It may be refused,
   * or find none.
   */
  record DeleteCorrupt(String path) implements Command {}

  /** Lists the blocks of a file, or of all files below a directory, with their nodes. */
  record Blocks(String path) implements Command {}

  /**
   * Moves a replica to another DataNode as HDFS's Balancer does. Answered by {@link Answer.Moved}.
   *
   * @param block number of the block in the file
   * @param from host name of a node with a replica; empty: any
   * @param to host name of a node without one
   */
  record MoveBlock(String path, int block, String from, String to) implements Command {}

  /** Measures the use of space; answered by {@link Answer.Stored}. */
  record Usage(String path) implements Command {}

  /** Counts files below a path, and those with one replica; answered by {@link Answer.Counted}. */
  record CountConverted(String path) implements Command {}

  /** Waits until exactly {@code count} DataNodes are live and not suspect. */
  record AwaitNodes(int count, double seconds) implements Command {}

  /**
   * Waits until each block below a path has its expected live replicas, or units of HDFS's own
   * erasure coding; answered by {@link Answer.Whole}.
   *
   * @param afterLoss whether to wait for a missing replica first; if not, also waits until none is
   *     surplus
   */
  record AwaitWhole(String path, double seconds, boolean afterLoss) implements Command {}

  /**
   * Starts to read or write in the background until {@link StopLoad}.
   *
   * @param name of the load
   * @param path files to read, or the directory to write to
   * @param bytes of a request; reads start at a multiple
   * @param replication of files written
   * @param blockBytes of files written; 0: the size of the file
   * @param rate requests a second, as a Poisson process; 0: each thread sends requests without
   *     pause
   * @param threads number of concurrent requests; with a rate, the largest number
   * @param distinct whether each thread reads files of its own
   */
  record StartLoad(
      String name,
      Work work,
      String path,
      long bytes,
      int replication,
      long blockBytes,
      double rate,
      int threads,
      boolean distinct,
      Client client,
      Map<String, String> properties,
      long seed)
      implements Command {}

  /** Stops a load after its running requests. Answered by {@link Answer.Load}. */
  record StopLoad(String name) implements Command {}

  /**
   * Changes a file. A change that is repeated after a failure completes the rest, so that a caller
   * that repeats it until it succeeds knows the result.
   */
  sealed interface Change extends Command {
    /** The file or directory that changes. */
    String path();
  }

  /** Writes a file anew, in place of an existing one. */
  record Create(String path, GeneratedContent content, int replication, long blockBytes)
      implements Change {}

  /**
   * Appends to a file.
   *
   * @param before what the file holds before
   */
  record Append(String path, GeneratedContent before, GeneratedContent more) implements Change {}

  /** Cuts a file and waits until it is closed again. */
  record Truncate(String path, long length) implements Change {}

  /**
   * Moves the blocks of other files to the end of a file.
   *
   * @param length of the file afterwards
   */
  record Concat(String path, List<String> sources, long length) implements Change {
    public Concat {
      sources = List.copyOf(sources);
    }
  }

  /** Renames a file to a path that does not exist; makes its directory if it is missing. */
  record Rename(String path, String to) implements Change {}

  /** Sets the replication of a file. */
  record SetReplication(String path, int replication) implements Change {}

  /** Sets the permissions of a file. */
  record SetMode(String path, int mode) implements Change {}

  /** Makes a directory that permits snapshots. */
  record AllowSnapshots(String path) implements Change {}

  /** Takes a snapshot of a directory. */
  record Snapshot(String path, String name) implements Change {}

  /** Deletes a snapshot of a directory. */
  record DropSnapshot(String path, String name) implements Change {}

  /**
   * Reads a range of a file and compares it; answered by {@link Answer.Compared}.
   *
   * @param content of the whole file
   * @param positioned whether to read the range by one positioned read
   */
  record Compare(
      String path,
      Client client,
      GeneratedContent content,
      long offset,
      long length,
      boolean positioned)
      implements Command {}

  /** Asks for a file's composite CRC-32C; answered by {@link Answer.Checked}. */
  record Checksum(String path, Client client) implements Command {}

  /**
   * Tells the NameNode that a replica is bad, as HDFS's scanner of blocks does.
   *
   * @param block name of the block
   * @param host of the replica
   */
  record ReportBad(String path, String block, String host) implements Command {}

  /** Has the NameNode read anew which DataNodes are to be decommissioned. */
  record RefreshNodes() implements Command {}

  /**
   * Reports everything that is not in order below a path and in all stripes; answered by {@link
   * Answer.Audited}.
   */
  record Audit(String path) implements Command {}
}
