package org.braid.hdfs.coordinator.view;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.braid.hdfs.api.FsckReport;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.hdfs.coordinator.session.NameNodeCalls;
import org.braid.hdfs.dispatch.Workers;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.hdfs.stripe.StripeStatus;

/**
 * Says of files what is readable, degraded, repairable and lost, and why: page by page, so that the
 * memory that it takes does not grow with the files. Changes nothing.
 */
public final class Fsck {
  private final NameNodeCalls nameNode;
  private final Workers workers;
  private final DistributedFileSystem files;
  private final Progress progress;

  public Fsck(
      NameNodeCalls nameNode, Workers workers, DistributedFileSystem files, Progress progress) {
    this.nameNode = nameNode;
    this.workers = workers;
    this.files = files;
    this.progress = progress;
  }

  /**
   * Checks what is at and below a path.
   *
   * @throws RefusedException when blocks are missing while the NameNode is in safe mode: DataNodes
   *     may have yet to report them
   */
  public FsckReport check(String path) throws IOException {
    ClusterState state = ClusterState.take(nameNode, workers);
    FsckReport report = look(path, state);
    int missing = report.count(FsckReport.State.LOST) + report.count(FsckReport.State.REPAIRABLE);
    if (state.safeMode() && missing > 0) {
      throw new RefusedException(
          "the NameNode is in safe mode, and DataNodes may have yet to report blocks of %d files: what is lost is known when it leaves; hdfs dfsadmin -safemode get says more"
              .formatted(missing));
    }
    return report;
  }

  private FsckReport look(String path, ClusterState state) throws IOException {
    FsckTally tally = new FsckTally(path, state);
    boolean all = path.equals("/");
    nameNode.files(
        path,
        page -> {
          List<StripeStatus> stripes = nameNode.stripesOf(blockIds(page));
          tally.addFiles(page, stripes);
          if (!all) {
            tally.addStripes(stripes);
          }
          // How many files there are is known when the last one was looked at.
          progress.at("checking files", tally.files(), tally.files() + 1L);
        });
    progress.at("checking files", tally.files(), tally.files());
    Overview.unreadable(nameNode.totals()).forEach(tally::addUnreadable);
    if (all) {
      nameNode.notableStripes(tally::addStripes);
    }
    addStaged(tally);
    return tally.report();
  }

  private static List<Long> blockIds(List<StoredFile> files) {
    return files.stream().flatMap(f -> f.blocks().stream()).map(b -> b.block().id()).toList();
  }

  /** What a stopped conversion left. */
  private void addStaged(FsckTally tally) throws IOException {
    Path staging = new Path(BraidPaths.STAGING);
    if (files.exists(staging)) {
      RemoteIterator<FileStatus> left = files.listStatusIterator(staging);
      while (left.hasNext()) {
        tally.addOrphan(left.next().getPath().toUri().getPath());
      }
    }
  }
}
