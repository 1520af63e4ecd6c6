package org.braid.hdfs.coordinator.policy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.ipc.RemoteException;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.api.view.ReadImportReport;
import org.braid.hdfs.coordinator.session.NameNodeCalls;
import org.braid.hdfs.policy.KnownReads;
import org.braid.hdfs.policy.audit.LastUses;
import org.braid.hdfs.rpc.OneLine;
import org.braid.hdfs.stripe.StoredFile;

/**
 * Records on files the times of reads from audit logs. Recording is idempotent, so that an import
 * can be repeated after it was broken off. Only a complete import advances the time until which
 * reads are known: otherwise a file whose read could not be recorded would seem unread.
 */
final class ReadImport {
  /** Least time between a recorded read and the next one that is recorded. */
  private static final long STEP_MILLIS = KnownReads.LOG_PRECISION.toMillis();

  private static final int NAMED = 3;

  private final NameNodeCalls nameNode;
  private final ReadStore store;
  private final LastUses uses;
  private final ReadImportReport.Mode mode;
  private final Progress progress;
  private final List<String> failures = new ArrayList<>();
  private long files;
  private long recorded;
  private long current;
  private long failed;

  ReadImport(
      NameNodeCalls nameNode,
      ReadStore store,
      LastUses uses,
      ReadImportReport.Mode mode,
      Progress progress) {
    this.nameNode = nameNode;
    this.store = store;
    this.uses = uses;
    this.mode = mode;
    this.progress = progress;
  }

  ReadImportReport run() throws IOException {
    KnownReads before = store.known(nameNode.cluster());
    check(before);
    KnownReads.Extension after = before.importing(uses.coverage(), uses.scopes());
    PolicyWalk walk = PolicyWalk.logged(uses.scopes().roots());
    while (!walk.hasEnded()) {
      walk.next(nameNode::filesAfter, this::look);
      progress.at("recording reads", files, files + (walk.hasEnded() ? 0 : 1));
    }
    boolean complete = failed == 0;
    if (mode == ReadImportReport.Mode.RECORD && complete) {
      store.save(after.known());
    }
    return new ReadImportReport(
        files,
        recorded,
        current,
        failed,
        failures,
        complete ? after.known() : before,
        complete ? after.gaps() : List.of(),
        complete ? after.unknown() : List.of());
  }

  private void check(KnownReads before) throws IOException {
    Optional<String> needless = before.needlessImport();
    if (needless.isPresent()) {
      throw new RefusedException(needless.get());
    }
    if (!nameNode.cluster().getTellsRecordedReads()) {
      throw new RefusedException(before.sentence());
    }
    if (uses.opens() == 0) {
      throw new RefusedException(
          "none of %d lines of an audit log is a read: import quiet logs together with later ones;"
                  .formatted(uses.lines())
              + " if there never is one, see whether dfs.namenode.audit.log.debug.cmdlist names"
              + " open");
    }
  }

  private void look(List<StoredFile> page) throws IOException {
    for (StoredFile file : page) {
      if (uses.scopes().follows(file.path())) {
        look(file);
      }
    }
  }

  private void look(StoredFile file) throws IOException {
    files++;
    long used = uses.of(file.path(), file.inode()).map(at -> at.toEpochMilli()).orElse(0L);
    if (used == 0) {
      return;
    }
    long known = Math.max(file.usage().accessed(), file.usage().modified());
    if (used - STEP_MILLIS <= known) {
      current++;
    } else if (mode == ReadImportReport.Mode.DRY_RUN) {
      recorded++;
    } else {
      record(file, used);
    }
  }

  private void record(StoredFile file, long used) throws IOException {
    try {
      store.record(file.inode(), used);
      recorded++;
    } catch (FileNotFoundException e) {
      files--; // it was deleted meanwhile
    } catch (RemoteException e) {
      // Something of this file, as that it has as many attributes as HDFS allows.
      if (!e.getClassName().equals(IOException.class.getName())) {
        throw e;
      }
      failed++;
      if (failures.size() < NAMED) {
        failures.add(file.path() + ": " + OneLine.first(e));
      }
    }
  }
}
