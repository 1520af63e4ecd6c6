package org.braid.cli;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.braid.hdfs.api.ConvertReport.Skipped;
import org.braid.hdfs.api.Policies;
import org.braid.hdfs.api.PolicyPreview;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.api.view.ReadImportReport;
import org.braid.hdfs.policy.FileFacts;
import org.braid.hdfs.policy.KnownReads;
import org.braid.hdfs.policy.Pausable;
import org.braid.hdfs.policy.Policy;
import org.braid.hdfs.policy.PolicyDocument;
import org.braid.hdfs.policy.audit.LastUses;
import org.jspecify.annotations.Nullable;

/** Policies that are kept in memory. Files are of 50 bytes and were touched 10 days ago. */
final class FakePolicies implements Policies {
  static final Instant AT = Instant.parse("2026-11-23T15:00:00Z");
  private final List<PolicyDocument> changes = new ArrayList<>();
  KnownReads reads = KnownReads.HDFS;

  /** What keeps all policies from doing what they should. */
  Optional<String> problem = Optional.empty();

  /** Files that are converted with another code than policies want. */
  int otherCode;

  /** What is left to do with a converted file. */
  Standing standing = Standing.AS_WANTED;

  /** How often somebody asked which policies hold. */
  int looks;

  /** What somebody else makes of them before the next change. */
  @Nullable PolicyDocument meanwhile;

  /** What was imported last. */
  @Nullable LastUses imported;

  @Override
  public PolicyDocument current() {
    looks++;
    return newest();
  }

  private PolicyDocument newest() {
    return changes.isEmpty() ? PolicyDocument.NONE : changes.get(0);
  }

  @Override
  public List<Change> history() {
    List<Change> history = new ArrayList<>();
    changes.forEach(
        change -> history.add(new Change("f" + change.revision(), Optional.of(change), "")));
    history.add(new Change("f0", Optional.empty(), "it is torn"));
    return history;
  }

  @Override
  public PolicyDocument change(String what, UnaryOperator<PolicyDocument> change)
      throws IOException {
    PolicyDocument other = meanwhile;
    if (other != null) {
      changes.add(0, other.asChange("bob", AT, "of somebody else"));
      meanwhile = null;
    }
    try {
      PolicyDocument after = change.apply(newest());
      after.policies().checkChanges(newest().policies(), reads);
      changes.add(0, after.asChange("ann", AT, what));
      return newest();
    } catch (IllegalArgumentException e) {
      throw new RefusedException(String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  public Optional<String> misfit(Policy policy) {
    return policy.conversion().isPresent() && policy.enabled() ? problem : Optional.empty();
  }

  @Override
  public KnownReads reads() {
    return reads;
  }

  /** Records a read on each path that was read, and none on {@code /full}. */
  @Override
  public ReadImportReport importReads(
      LastUses uses, ReadImportReport.Mode mode, Progress progress) {
    imported = uses;
    KnownReads before = reads;
    KnownReads.Extension after = KnownReads.NONE.importing(uses.coverage(), uses.scopes());
    boolean full = uses.of("/logs/full", 0).isPresent();
    if (mode == ReadImportReport.Mode.RECORD && !full) {
      reads = after.known();
    }
    return new ReadImportReport(
        100,
        uses.paths(),
        2,
        full ? 1 : 0,
        full ? List.of("/logs/full: it has too many attributes") : List.of(),
        full ? before : after.known(),
        after.gaps(),
        after.unknown());
  }

  @Override
  public List<PolicyPreview> preview(Progress progress) {
    progress.at("looking at files", 7, 7);
    return newest().policies().policies().stream()
        .filter(Policy::enabled)
        .map(
            policy ->
                new PolicyPreview(
                    policy.name(),
                    policy.action().word(),
                    policy.conversion().map(how -> how.code()).orElse(null),
                    policy.conversion().map(how -> how.parityCopies()).orElse(null),
                    newest().pausedUntil(Pausable.CONVERT, Instant.now()).isPresent()
                        ? "convert is paused until resumed"
                        : null,
                    problem.orElse(null),
                    3,
                    30 << 20,
                    2,
                    otherCode,
                    1,
                    "2099-01-01T00:00:00Z",
                    4,
                    40 << 20,
                    5 << 20,
                    6 << 20,
                    7.5,
                    List.of(new Skipped("/logs/e", "EMPTY", "it has 0 bytes"))))
        .toList();
  }

  @Override
  public Explanation explain(String path) throws IOException {
    if (path.equals("/missing")) {
      throw new FileNotFoundException("/missing does not exist");
    }
    Instant now = Instant.now();
    Instant touched = now.minusSeconds(10 * 86_400);
    FileFacts file = new FileFacts(path, 50, 5, "ann", touched, Optional.of(touched), reads);
    boolean converted = path.endsWith("converted");
    return new Explanation(
        file,
        converted ? List.of("rs-6-3") : List.of(),
        converted ? standing : Standing.TO_DO,
        newest().policies().explain(file, now),
        problem);
  }
}
