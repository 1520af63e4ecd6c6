package org.braid.hdfs.coordinator.view;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.braid.hdfs.api.FsckReport;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.hdfs.coordinator.session.NameNodeCalls;
import org.braid.hdfs.coordinator.session.PagePrefetch;
import org.braid.hdfs.coordinator.session.RecentClusterState;
import org.braid.hdfs.coordinator.session.StripeMap;
import org.braid.hdfs.proto.BraidProtos.FileProto;
import org.braid.hdfs.proto.BraidProtos.FilesRequestProto;
import org.braid.hdfs.proto.BraidProtos.FilesResponseProto;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.StatusCodec;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.hdfs.stripe.Stripe;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.stripe.StripeSums;

/**
 * Reports which files are readable, degraded, repairable and lost, and why. Works page by page, so
 * that its memory does not grow with the number of files. Changes nothing.
 *
 * <p>The NameNode recognises sound files, by the DataNodes of the request, and returns only their
 * names; all other files are judged here.
 */
public final class Fsck {
  private final NameNodeCalls nameNode;
  private final RecentClusterState cluster;
  private final DistributedFileSystem files;
  private final Progress progress;

  public Fsck(
      NameNodeCalls nameNode,
      RecentClusterState cluster,
      DistributedFileSystem files,
      Progress progress) {
    this.nameNode = nameNode;
    this.cluster = cluster;
    this.files = files;
    this.progress = progress;
  }

  /**
   * Checks the files at and below a path. If files are lost while nodes just fell silent, it looks
   * again after these had time to answer.
   *
   * @throws RefusedException when blocks are missing while the NameNode is in safe mode: DataNodes
   *     may have yet to report them
   */
  public FsckReport check(String path) throws IOException {
    return cluster.judged(
        cluster.patiently(cluster.now()),
        state -> check(path, state),
        report -> report.count(FsckReport.State.LOST) > 0);
  }

  private FsckReport check(String path, ClusterState state) throws IOException {
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
    StripeSums judged = new StripeSums();
    try (PagePrefetch<FilesResponseProto> pages = new PagePrefetch<>(new Question(path, state))) {
      for (Optional<FilesResponseProto> page = pages.next();
          page.isPresent();
          page = pages.next()) {
        List<StripeStatus> stripes = add(page.get(), tally, judged);
        tally.addParity(stripes);
        if (!all) {
          addStripes(tally, stripes);
        }
        // How many files there are is known when the last one was looked at.
        progress.at("checking files", tally.files(), tally.files() + 1L);
      }
    }
    progress.at("checking files", tally.files(), tally.files());
    Overview.unreadable(nameNode.totals()).forEach(tally::addUnreadable);
    if (all) {
      addNotable(tally, judged);
    }
    addStaged(tally);
    return tally.report();
  }

  /** Requests files; sound ones come in short form. */
  private final class Question implements PagePrefetch.Question<FilesResponseProto> {
    private final FilesRequestProto first;

    Question(String path, ClusterState state) {
      first = FilesRequestProto.newBuilder().setPath(path).setBriefly(state.seen()).build();
    }

    @Override
    public FilesResponseProto ask(Optional<FilesResponseProto> last) throws IOException {
      FilesRequestProto.Builder request = first.toBuilder();
      last.ifPresent(page -> request.setAfter(last(page)));
      return nameNode.files(request);
    }

    /**
     * The file behind which the next page begins; with a NameNode of an earlier version, the last
     * one listed.
     */
    private static String last(FilesResponseProto page) {
      return page.hasLast() ? page.getLast() : page.getFiles(page.getFilesCount() - 1).getPath();
    }

    @Override
    public boolean isMore(FilesResponseProto page) {
      return page.getMore();
    }
  }

  /**
   * Adds the files of a page.
   *
   * @param judged gets the sums of the stripes that the NameNode judged by their files
   * @return the stripes of those files that the NameNode did not judge
   */
  private List<StripeStatus> add(FilesResponseProto page, FsckTally tally, StripeSums judged)
      throws IOException {
    List<StoredFile> whole =
        page.getFilesList().stream()
            .filter(file -> !file.hasSoundBlocks())
            .map(StatusCodec::of)
            .toList();
    Set<Long> ids = new LinkedHashSet<>();
    whole.forEach(file -> file.blocks().forEach(block -> ids.add(block.block().id())));
    List<StripeStatus> stripes = nameNode.stripesOf(ids);
    StripeMap map = StripeMap.of(stripes);
    Iterator<StoredFile> next = whole.iterator();
    for (FileProto file : page.getFilesList()) {
      if (file.hasSoundBlocks()) {
        tally.addSound(file.getPath(), file.getSoundBlocks());
      } else {
        tally.addFile(next.next(), map);
      }
    }
    tally.addReplicated(page.getSound(), page.getUnprotectedList());
    judged.add(page.getStripes());
    for (StripeStatus status : stripes) {
      // With one of its files, of which no other page has this block.
      if (!status.isNotable() && ids.contains(status.data().get(0).status().block().id())) {
        judged.add(status.stripe().id(), status.parityInode());
      }
    }
    return stripes;
  }

  /**
   * Adds stripes with facts that the judgement of their files does not contain; searches only the
   * stripes that were not judged.
   */
  private void addNotable(FsckTally tally, StripeSums judged) throws IOException {
    Optional<StripeSums> there = nameNode.stripeSums();
    if (there.isEmpty()) {
      nameNode.notableStripes(page -> add(tally, page));
      return;
    }
    for (StripeSums.Range range : there.get().differences(judged)) {
      nameNode.notableStripes(range, page -> add(tally, page));
    }
  }

  private void add(FsckTally tally, List<StripeStatus> page) throws IOException {
    addStripes(tally, page);
    tally.addParity(page);
  }

  private void addStripes(FsckTally tally, List<StripeStatus> page) throws IOException {
    tally.addStripes(page);
    tally.addUnneeded(leftOver(page));
  }

  /** The stripes of a page that nothing needs and that are not claimed. */
  private List<StripeStatus> leftOver(List<StripeStatus> page) throws IOException {
    Map<String, Stripe> unneeded = new LinkedHashMap<>();
    for (StripeStatus status : page) {
      if (!status.isNeeded()) {
        unneeded.put(status.stripe().id(), status.stripe());
      }
    }
    nameNode.claimed(List.copyOf(unneeded.keySet())).forEach(unneeded::remove);
    List<Long> blocks = new ArrayList<>();
    unneeded.values().forEach(stripe -> blocks.addAll(stripe.blockIds()));
    // Where a claim was given back since the page was read, the stripe is trimmed or swept by now.
    return nameNode.stripesOf(blocks).stream()
        .filter(now -> unneeded.containsKey(now.stripe().id()) && !now.isNeeded())
        .toList();
  }

  /** Adds the staged files of stopped conversions, for stripes that are not claimed. */
  private void addStaged(FsckTally tally) throws IOException {
    Path staging = new Path(BraidPaths.STAGING);
    if (!files.exists(staging)) {
      return;
    }
    List<String> staged = new ArrayList<>();
    RemoteIterator<FileStatus> listed = files.listStatusIterator(staging);
    while (listed.hasNext()) {
      staged.add(listed.next().getPath().getName());
    }
    staged.removeAll(Set.copyOf(nameNode.claimed(staged)));
    for (String name : staged) {
      Path left = new Path(staging, name);
      // Where a claim was given back since it was listed, it is published or deleted by now.
      if (files.exists(left)) {
        tally.addOrphan(left.toUri().getPath());
      }
    }
  }
}
