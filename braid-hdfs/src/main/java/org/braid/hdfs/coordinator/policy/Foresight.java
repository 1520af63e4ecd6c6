package org.braid.hdfs.coordinator.policy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.braid.hdfs.api.ConvertPreview;
import org.braid.hdfs.api.ConvertReport.Skipped;
import org.braid.hdfs.api.ConvertRequest;
import org.braid.hdfs.api.Policies.Standing;
import org.braid.hdfs.api.PolicyPreview;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.api.SpilledList;
import org.braid.hdfs.coordinator.session.NameNodeCalls.FilePage;
import org.braid.hdfs.coordinator.session.StripeMap;
import org.braid.hdfs.policy.Action;
import org.braid.hdfs.policy.FileVerdict;
import org.braid.hdfs.policy.KnownReads;
import org.braid.hdfs.policy.Moments;
import org.braid.hdfs.policy.Pausable;
import org.braid.hdfs.policy.Policy;
import org.braid.hdfs.policy.PolicyDocument;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.StoredFile;
import org.jspecify.annotations.Nullable;

/**
 * Walks the namespace once and adds up the files that policies would convert and restore; changes
 * nothing.
 */
final class Foresight {
  private final Calls calls;
  private final PolicyDocument document;
  private final KnownReads reads;
  private final Instant now;
  private final Progress progress;
  private final Map<String, Tally> tallies = new LinkedHashMap<>();
  private int seen;

  /** The calls on the cluster. */
  interface Calls {
    /** The next files at or below a path. */
    FilePage filesAfter(String path, Optional<String> after) throws IOException;

    /** The stripes of some files. */
    StripeMap stripes(List<StoredFile> files) throws IOException;

    /** Previews a conversion. */
    ConvertPreview preview(ConvertRequest request) throws IOException;
  }

  /** The work of one policy. */
  private static final class Tally {
    final Policy policy;
    final List<StoredFile> batch = new ArrayList<>();
    final List<Skipped> leftAlone = new SpilledList<>();
    int batchBlocks;
    int files;
    long bytes;
    int done;
    int otherCode;
    int later;
    @Nullable Instant nextAt;
    int stripes;
    long bytesSaved;
    long parityBytes;
    long crossRackBytes;
    double seconds;
    String refusal = "";

    Tally(Policy policy) {
      this.policy = policy;
    }

    void add(ConvertPreview preview) {
      stripes += preview.stripes();
      bytesSaved += preview.bytesSaved();
      parityBytes += preview.parityBytes();
      crossRackBytes += preview.crossRackBytes();
      Double more = preview.seconds();
      seconds += more == null ? Double.POSITIVE_INFINITY : more;
      Set<String> paths =
          preview.leftAlone().stream().map(Skipped::path).collect(Collectors.toSet());
      leftAlone.addAll(preview.leftAlone());
      takeBack(batch.stream().filter(file -> paths.contains(file.path())).toList());
    }

    /** Subtracts files of the batch that it does not convert. */
    void takeBack(List<StoredFile> some) {
      files -= some.size();
      bytes -= some.stream().mapToLong(StoredFile::length).sum();
    }

    void later(Instant at) {
      later++;
      nextAt = nextAt == null || at.isBefore(nextAt) ? at : nextAt;
    }
  }

  /** Creates a preview at a moment. */
  Foresight(
      Calls calls, PolicyDocument document, KnownReads reads, Instant now, Progress progress) {
    this.calls = calls;
    this.document = document;
    this.reads = reads;
    this.now = now;
    this.progress = progress;
    for (Policy policy : document.policies().policies()) {
      if (policy.enabled()) {
        tallies.put(policy.name(), new Tally(policy));
      }
    }
  }

  /** Previews each enabled policy, in their order. */
  List<PolicyPreview> look() throws IOException {
    PolicyWalk walk = PolicyWalk.logged(document.policies().roots());
    while (!walk.hasEnded()) {
      walk.next(calls::filesAfter, this::add);
      progress.at("looking at files", seen, seen + (walk.hasEnded() ? 0 : 1));
    }
    List<PolicyPreview> previews = new ArrayList<>();
    for (Tally tally : tallies.values()) {
      preview(tally);
      previews.add(report(tally));
    }
    return previews;
  }

  private void add(List<StoredFile> files) throws IOException {
    StripeMap stripes = calls.stripes(files);
    for (StoredFile file : files) {
      add(file, stripes);
    }
    seen += files.size();
  }

  private void add(StoredFile file, StripeMap stripes) throws IOException {
    FileVerdict verdict = document.policies().explain(PolicyView.facts(file, reads), now);
    Tally tally = verdict.policy().map(policy -> tallies.get(policy.name())).orElse(null);
    if (tally == null) {
      return;
    }
    Standing standing = PolicyView.standing(tally.policy, file, stripes);
    // The daemon passes over these, however old they get.
    boolean single = tally.policy.action() == Action.CONVERT && file.replication() == 1;
    Optional<Skipped> hidden = PolicyView.hidden(tally.policy, file);
    if (standing == Standing.AS_WANTED) {
      tally.done++;
    } else if (standing == Standing.OTHER_CODE) {
      tally.otherCode++;
    } else if (single) {
      if (file.hasOneReplica()) { // not one that HDFS stripes
        tally.leftAlone.add(PolicyView.oneReplica(file));
      }
    } else if (hidden.isPresent()) {
      tally.leftAlone.add(hidden.get());
    } else if (verdict.at().isPresent()) {
      tally.later(verdict.at().get());
    } else if (tally.policy.action() == Action.RESTORE) {
      tally.files++;
      tally.bytes += file.length();
    } else {
      tally.files++;
      tally.bytes += file.length();
      tally.batch.add(file);
      tally.batchBlocks += file.blocks().size();
      if (tally.batchBlocks >= PolicyWork.BATCH_BLOCKS) {
        preview(tally);
      }
    }
  }

  /**
   * Previews the gathered batch. Batches have the size of the daemon's, as stripes are formed among
   * the files of a batch.
   */
  private void preview(Tally tally) throws IOException {
    if (tally.batch.isEmpty()) {
      return;
    }
    try {
      tally.add(calls.preview(PolicyWork.previewed(tally.policy, paths(tally.batch))));
    } catch (FileNotFoundException e) {
      tally.takeBack(tally.batch); // one was deleted meanwhile: what is left is not worth a walk
    } catch (RefusedException e) {
      // As the daemon goes on with the other policies.
      tally.takeBack(tally.batch);
      tally.refusal = String.valueOf(e.getMessage());
    }
    tally.batch.clear();
    tally.batchBlocks = 0;
  }

  private static List<String> paths(List<StoredFile> files) {
    return files.stream().map(file -> BraidPaths.inode(file.inode())).toList();
  }

  private @Nullable String problem(Tally tally) {
    String problems =
        Stream.concat(reads.tooFine(tally.policy).stream(), Stream.of(tally.refusal))
            .filter(problem -> !problem.isEmpty())
            .collect(Collectors.joining("; "));
    return problems.isEmpty() ? null : problems;
  }

  private PolicyPreview report(Tally tally) {
    Policy policy = tally.policy;
    Instant next = tally.nextAt;
    return new PolicyPreview(
        policy.name(),
        policy.action().word(),
        policy.conversion().map(how -> how.code()).orElse(null),
        policy.conversion().map(how -> how.parityCopies()).orElse(null),
        waits(policy),
        problem(tally),
        tally.files,
        tally.bytes,
        tally.done,
        tally.otherCode,
        tally.later,
        next == null ? null : Moments.begun(next),
        tally.stripes,
        tally.bytesSaved,
        tally.parityBytes,
        tally.crossRackBytes,
        Double.isInfinite(tally.seconds) ? null : Double.valueOf(tally.seconds),
        tally.leftAlone);
  }

  private @Nullable String waits(Policy policy) {
    if (policy.action() == Action.LEAVE) {
      return null;
    }
    Pausable work = policy.pausable();
    Optional<Instant> paused = document.pausedUntil(work, now);
    if (paused.isPresent()) {
      return work.word() + " is paused until " + Moments.until(paused.get());
    }
    return policy
        .window()
        .filter(window -> !window.contains(now))
        .map(
            window ->
                window
                    .opening(now)
                    .map(opens -> "its window opens at " + opens)
                    .orElse("its window does not open within days"))
        .orElse(null);
  }
}
