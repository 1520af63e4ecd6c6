package org.braid.hdfs.api;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.braid.hdfs.api.view.PlacementView;
import org.braid.hdfs.api.view.StatusReport;
import org.braid.hdfs.api.view.UsageReport;
import org.braid.hdfs.api.view.UsageRequest;

/**
 * A cluster whose NameNode and DataNodes run Braid's plugins. Every method works through the same
 * protocol, wherever it is called.
 *
 * <p>Errors: {@link RefusedException} when a promise could not be kept and nothing was changed,
 * {@link java.io.FileNotFoundException} for a missing path, other {@link IOException}s when the
 * work failed; running it again finishes it.
 */
public interface Cluster extends Closeable {
  /** Turns files from replication into erasure coding in place. */
  ConvertReport convert(ConvertRequest request) throws IOException;

  /** Says what {@link #convert} would do now; changes nothing and waits for nobody. */
  ConvertPreview preview(ConvertRequest request) throws IOException;

  /** Turns converted files back into replication. */
  RestoreReport restore(String path, Progress progress) throws IOException;

  /** Rebuilds lost blocks. */
  RepairReport repair(RepairRequest request) throws IOException;

  /** Says what {@link #repair} would do now; changes nothing and waits for nobody. */
  RepairPreview preview(RepairRequest request) throws IOException;

  /**
   * Rebuilds lost blocks again and again until it is stopped, those first that readers wait for.
   * Other work on the cluster takes precedence: it is given way to.
   */
  WatchReport watch(WatchRequest request) throws IOException;

  /**
   * Reads all replicas of stripes and compares them with what was encoded. What is bad HDFS is told
   * of, so that it does not serve it and {@link #repair} rebuilds it. Waits for no other work.
   */
  ScrubReport scrub(ScrubRequest request) throws IOException;

  /** Says what is readable, degraded, repairable and lost. */
  FsckReport fsck(String path, Progress progress) throws IOException;

  /** The same without hearing how far it is. */
  default FsckReport fsck(String path) throws IOException {
    return fsck(path, Progress.SILENT);
  }

  /** Says what is stored where. */
  StatusReport status(String path) throws IOException;

  /** Says what files take, by directory or owner. */
  UsageReport usage(UsageRequest request, Progress progress) throws IOException;

  /** Where the blocks of some files stand. */
  PlacementView placement(List<String> paths) throws IOException;

  /** The rules by which files are converted and restored while a daemon {@link #watch watches}. */
  Policies policies();

  /** How many bytes a second work in the background may move. */
  ThrottleControl throttle();

  @Override
  void close();
}
