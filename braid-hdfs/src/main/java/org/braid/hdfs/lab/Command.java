package org.braid.hdfs.lab;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import java.util.Map;
import org.braid.hdfs.api.ConvertRequest;

/**
 * What a {@link LabDriver} can be told to do, as a JSON object whose key {@code do} says which. All
 * keys have to be there; an empty text and 0 mean what each says. Times are in seconds, sizes in
 * bytes.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "do")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Command.MakeDirectory.class, name = "make-directory"),
  @JsonSubTypes.Type(value = Command.Write.class, name = "write"),
  @JsonSubTypes.Type(value = Command.Read.class, name = "read"),
  @JsonSubTypes.Type(value = Command.Copy.class, name = "copy"),
  @JsonSubTypes.Type(value = Command.Delete.class, name = "delete"),
  @JsonSubTypes.Type(value = Command.Convert.class, name = "convert"),
  @JsonSubTypes.Type(value = Command.Restore.class, name = "restore"),
  @JsonSubTypes.Type(value = Command.Repair.class, name = "repair"),
  @JsonSubTypes.Type(value = Command.Blocks.class, name = "blocks"),
  @JsonSubTypes.Type(value = Command.MoveBlock.class, name = "move-block"),
  @JsonSubTypes.Type(value = Command.Usage.class, name = "usage"),
  @JsonSubTypes.Type(value = Command.AwaitNodes.class, name = "await-nodes"),
  @JsonSubTypes.Type(value = Command.AwaitWhole.class, name = "await-whole"),
  @JsonSubTypes.Type(value = Command.StartLoad.class, name = "start-load"),
  @JsonSubTypes.Type(value = Command.StopLoad.class, name = "stop-load")
})
public sealed interface Command {
  /** Which client reads. */
  enum Client {
    /** HDFS's own, which knows nothing of Braid. */
    PLAIN,
    /** Braid's file system: reads through lost blocks, several blocks at once. */
    BRAID
  }

  /** What a load does again and again. */
  enum Work {
    /** Reads ranges of files that are there. */
    READ,
    /** Writes new files. */
    WRITE
  }

  /**
   * Makes a directory.
   *
   * @param ear what Braid's attribute says of it, such as {@code rs-6-3}; empty: it gets none
   * @param policy HDFS's own erasure coding policy, such as {@code RS-6-3-1024k}; empty: none
   */
  record MakeDirectory(String path, String ear, String policy) implements Command {}

  /**
   * Writes files with HDFS's own client; answered by {@link Answer.Written}.
   *
   * @param path of the file, or of the directory of several
   * @param files how many; several are called {@code 0}, {@code 1} and so on, below the path
   * @param bytes of each file
   * @param replication of each; without meaning where HDFS's own erasure coding is set
   * @param parallel files at once, at least 1
   * @param seed of the content
   */
  record Write(
      String path, int files, long bytes, int replication, long blockBytes, int parallel, long seed)
      implements Command {}

  /**
   * Reads a range of a file; answered by {@link Answer.Been}.
   *
   * @param client who reads
   * @param properties of the client's configuration
   * @param length bytes; 0: to the file's end
   * @param positioned whether the range is asked for at once, as far as 1 GiB, and not front to
   *     back
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
   * @param replace whether each file takes the place of the one it was copied from, as one who
   *     converts by copying does
   */
  record Copy(String from, String to, int parallel, boolean replace) implements Command {}

  /** Deletes a file or a directory with all below it, if it is there. */
  record Delete(String path) implements Command {}

  /**
   * How many blocks of a stripe there are, and where they may be.
   *
   * @param perRack most blocks of a stripe a rack; 0: the fewest that fit
   * @param targetRacks most racks of a stripe; 0: all
   * @param sites the policy over sites; empty: racks alone count
   * @param parityCopies how often each parity is stored, at least 1
   */
  record Spread(int perRack, int targetRacks, String sites, int parityCopies) {
    /** Whatever fits, each parity once. */
    public static final Spread USUAL = new Spread(0, 0, "", 1);

    /** At most so many blocks of a stripe a rack; 0: the fewest that fit. */
    public static Spread perRack(int blocks) {
      return new Spread(blocks, 0, "", 1);
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
      Spread spread,
      ConvertRequest.Method method,
      int parallel,
      int sliceBytes,
      long seed)
      implements Command {
    public Convert {
      paths = List.copyOf(paths);
    }
  }

  /** Turns converted files back into replication; answered by {@link Answer.Done}. */
  record Restore(String path) implements Command {}

  /**
   * Rebuilds what is lost by Braid; answered by {@link Answer.Repaired}.
   *
   * @param scheduler as {@code RepairPolicy} has it; empty: as configured
   * @param perNode repairs at once in which a node takes part; 0: as configured
   * @param perUplink repairs at once that cross a rack's uplink; 0: as configured
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

  /** Asks where the blocks of a file, or of all files below a directory, are. */
  record Blocks(String path) implements Command {}

  /**
   * Has a DataNode copy a replica from the node that has it, as HDFS's Balancer does; the old one
   * goes. Answered by {@link Answer.Moved}.
   *
   * @param block which of the file's blocks
   * @param from host name of a node with a replica; empty: any
   * @param to host name of a node without one
   */
  record MoveBlock(String path, int block, String from, String to) implements Command {}

  /** Asks what is stored; answered by {@link Answer.Stored}. */
  record Usage(String path) implements Command {}

  /** Waits until exactly so many DataNodes are live and not suspect. */
  record AwaitNodes(int count, double seconds) implements Command {}

  /**
   * Waits until each block below a path has as many live replicas, or units of HDFS's own stripes,
   * as it is to have; answered by {@link Answer.Whole}.
   *
   * @param afterLoss whether something has to be missing first; if not, none may be too many either
   */
  record AwaitWhole(String path, double seconds, boolean afterLoss) implements Command {}

  /**
   * Begins to read or write in the background, until {@link StopLoad}.
   *
   * @param name by which it is stopped
   * @param path files to read, or the directory to write to
   * @param bytes of a request; reads begin at a multiple of it
   * @param replication of files written
   * @param blockBytes of files written; 0: as many as a file has
   * @param rate requests a second, at random times (Poisson); 0: each thread has one after the
   *     other
   * @param threads requests at once; with a rate, at most
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

  /** Ends a load; what is under way ends well. Answered by {@link Answer.Load}. */
  record StopLoad(String name) implements Command {}
}
