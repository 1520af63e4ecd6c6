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

  /** Previews {@link #convert}. Changes nothing and does not wait for other work. */
  ConvertPreview preview(ConvertRequest request) throws IOException;

  /** Turns converted files back into replication. */
  RestoreReport restore(String path, Progress progress) throws IOException;

  /** Rebuilds lost blocks. */
  RepairReport repair(RepairRequest request) throws IOException;

  /** Previews {@link #repair}. Changes nothing and does not wait for other work. */
  RepairPreview preview(RepairRequest request) throws IOException;

  /**
   * Rebuilds lost blocks repeatedly until it is stopped, first the blocks that readers wait for.
   * Gives way to other work on the cluster.
   */
  WatchReport watch(WatchRequest request) throws IOException;

  /**
   * Reads all replicas of stripes and compares them with the encoded content. Reports bad replicas
   * to HDFS, which then does not serve them, so that {@link #repair} rebuilds them. Does not wait
   * for other work.
   */
  ScrubReport scrub(ScrubRequest request) throws IOException;

  /** Reports which files are readable, degraded, repairable and lost. */
  FsckReport fsck(String path, Progress progress) throws IOException;

  /** The same without reports of progress. */
  default FsckReport fsck(String path) throws IOException {
    return fsck(path, Progress.SILENT);
  }

  /** Reports what is stored where. */
  StatusReport status(String path) throws IOException;

  /** Reports the storage that files take, by directory or owner. */
  UsageReport usage(UsageRequest request, Progress progress) throws IOException;

  /** Returns the nodes of the blocks of some files. */
  PlacementView placement(List<String> paths) throws IOException;

  /** The rules by which files are converted and restored while a daemon {@link #watch watches}. */
  Policies policies();

  /** The limits of the bytes a second that background work may move. */
  ThrottleControl throttle();

  @Override
  void close();
}
