package org.braid.hdfs.coordinator.convert;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.braid.hdfs.api.ConvertReport.Skipped;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RestoreReport;
import org.braid.hdfs.api.RestoreReport.Restored;
import org.braid.hdfs.api.SpilledList;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.hdfs.coordinator.session.FileBatches;
import org.braid.hdfs.coordinator.session.ParitySweep;
import org.braid.hdfs.coordinator.session.Pins;
import org.braid.hdfs.coordinator.session.Session;
import org.braid.hdfs.coordinator.session.Stopwatch;
import org.braid.hdfs.coordinator.session.StripeMap;
import org.braid.hdfs.coordinator.session.Waiting;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.fault.Faults;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.MemberStatus;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.hdfs.stripe.StripeStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns converted files back into replicated ones, in the safe order: first all replicas exist,
 * then parity goes.
 */
public final class Restorer {
  private static final Logger LOG = LoggerFactory.getLogger(Restorer.class);
  private static final long POLL_MILLIS = 100;
  private static final long MOST_POLL_MILLIS = 3000;

  private final Session session;
  private final Progress progress;
  private final BooleanSupplier halted;
  private final long patience;
  private final Wish wish;
  private final Stopwatch watch = new Stopwatch();
  private final List<Restored> restored = new SpilledList<>();
  private final List<Skipped> skipped = new SpilledList<>();
  private final StoredBytes before = new StoredBytes();
  private final StoredBytes after = new StoredBytes();
  private int deleted;

  /** The replication to which files are restored. */
  private enum Wish {
    /** The replication before conversion, as a command restores it. */
    AS_BEFORE,

    /** What users gave files since is later than what a policy says. */
    OF_USERS
  }

  /** A restoration that waits until it is done. */
  public Restorer(Session session, Progress progress) {
    this(session, progress, () -> false, Long.MAX_VALUE, Wish.AS_BEFORE);
  }

  /**
   * Creates a restoration that may be broken off and that is repeated: a file to which a user gave
   * two or more replicas since its conversion keeps that replication.
   *
   * @param halted whether to end; HDFS goes on copying, and another restoration finishes
   * @param patience seconds to wait for the files of a batch; files that lack replicas by then are
   *     left to another restoration
   */
  public Restorer(Session session, Progress progress, BooleanSupplier halted, long patience) {
    this(session, progress, halted, patience, Wish.OF_USERS);
  }

  private Restorer(
      Session session, Progress progress, BooleanSupplier halted, long patience, Wish wish) {
    this.session = session;
    this.progress = progress;
    this.halted = halted;
    this.patience = patience;
    this.wish = wish;
  }

  /**
   * Restores all files at or below some paths, in batches; finishes each batch before it lists the
   * next one. Skips paths that no longer exist.
   */
  public RestoreReport restore(List<String> paths) throws IOException {
    return restore(new FileBatches(session.nameNode(), paths).passingOverMissing());
  }

  /** Restores some batches of files. */
  public RestoreReport restore(FileBatches batches) throws IOException {
    Optional<FileBatches.Batch> batch = batches.next();
    while (batch.isPresent()) {
      restore(batch.get());
      batch = batches.next();
    }
    after.forgetDeleted(session.nameNode());
    return new RestoreReport(
        restored, skipped, deleted, before.bytes(), after.bytes(), watch.seconds());
  }

  private void restore(FileBatches.Batch batch) throws IOException {
    StripeMap stripes = StripeMap.of(session.nameNode(), batch.files());
    // What is not to be had of blocks is told once: nodes that are silent for a moment have time.
    ClusterState state =
        session
            .cluster()
            .settled(
                session.cluster().now(),
                seen ->
                    batch.files().stream()
                        .allMatch(file -> !isEncoded(file, stripes) || lost(file, seen) == 0));
    before.add(batch.files(), stripes);
    AwaitedFiles work = new AwaitedFiles();
    int raised = 0;
    for (StoredFile file : batch.files()) {
      int replication = replicationOf(file, stripes);
      if (replication > 0 && readable(file, state) && raise(file, replication)) {
        work.add(file, replication);
        raised++;
      }
    }
    Faults.reach(FaultStep.RESTORE_RAISED, raised + " files");
    await(batch, work);
    new Pins(session.workers())
        .unpin(
            session.cluster().now(),
            work.awaited().stream().flatMap(file -> file.blocks().stream()).toList());
    Faults.reach(FaultStep.RESTORE_REPLICATED, raised + " files");
    ParitySweep.Swept swept = new ParitySweep(session).sweep(stripes.all());
    Faults.reach(FaultStep.RESTORE_SWEPT, swept.deleted() + " parity files");
    deleted += swept.deleted();
    Set<String> named = work.skipped().stream().map(Skipped::path).collect(Collectors.toSet());
    swept.left().forEach(left -> leave(left, named));
    restored.addAll(work.restored());
    skipped.addAll(work.skipped());
    note(batch.present());
  }

  /**
   * Notes the storage that the files of a batch take now, and the files whose parity stays for
   * snapshots.
   */
  private void note(List<StoredFile> now) throws IOException {
    StripeMap left = StripeMap.of(session.nameNode(), now);
    after.add(now, left);
    Set<Long> inSnapshots =
        left.all().stream()
            .flatMap(status -> status.members().stream())
            .filter(MemberStatus::oneInSnapshots)
            .map(MemberStatus::inode)
            .collect(Collectors.toSet());
    now.stream()
        .filter(file -> file.replication() > 1 && inSnapshots.contains(file.inode()))
        .forEach(this::keepParity);
  }

  private void keepParity(StoredFile file) {
    skipped.add(
        new Skipped(
            file.path(),
            "IN_SNAPSHOT",
            ("its parity stays, although it has %d replicas: snapshots have it with replication 1,"
                    + " which HDFS gives to blocks that only they have; repair deletes the parity"
                    + " when these snapshots are deleted")
                .formatted(file.replication())));
  }

  /** Reports parity that stays under one of its files, unless one of them is reported already. */
  private void leave(ParitySweep.Left left, Set<String> named) {
    StripeStatus status = left.stripe();
    List<String> paths =
        status.members().stream().map(MemberStatus::path).filter(path -> !path.isEmpty()).toList();
    if (paths.isEmpty() || paths.stream().anyMatch(named::contains)) {
      return;
    }
    skipped.add(
        new Skipped(
            paths.get(0),
            left.cause(),
            ("parity of its stripe %s, %s, stays for now, although its blocks are replicated: %s;"
                    + " restore again later, or repair, which deletes parity that nobody needs")
                .formatted(status.stripe().shortId(), status.parityPath(), left.reason())));
  }

  /** Asks for replicas of a file; reports a refusal by HDFS. */
  private boolean raise(StoredFile file, int replication) throws IOException {
    // Where users lower it at this moment, it is not raised again: only its blocks follow the file.
    int asked = wish == Wish.OF_USERS && file.replication() > 1 ? 1 : replication;
    Optional<Skipped> refused = RaisedFile.raise(session, file, asked);
    refused.ifPresent(skipped::add);
    return refused.isEmpty();
  }

  /**
   * The replication a file had before conversion, or is to have now; 0 when no block of it is in a
   * stripe.
   */
  private int replicationOf(StoredFile file, StripeMap stripes) {
    if (!isEncoded(file, stripes)) {
      return 0;
    }
    return switch (wish) {
      case AS_BEFORE -> stripes.originalReplication(file);
      case OF_USERS -> stripes.replicationAsUsersWant(file);
    };
  }

  private static boolean isEncoded(StoredFile file, StripeMap stripes) {
    return file.blocks().stream().anyMatch(block -> stripes.of(block) != null);
  }

  /** Number of blocks without a readable replica. */
  private static int lost(StoredFile file, ClusterState state) {
    return (int)
        file.blocks().stream()
            .filter(block -> block.complete() && state.readable(block).length == 0)
            .count();
  }

  private boolean readable(StoredFile file, ClusterState state) {
    int lost = lost(file, state);
    if (lost > 0) {
      skipped.add(
          new Skipped(
              file.path(),
              "BLOCKS_LOST",
              lost
                  + " of its "
                  + file.blocks().size()
                  + " blocks have no readable copy: run braid repair first"));
    }
    return lost == 0;
  }

  /** The files of a batch, and the awaited files that users renamed elsewhere. */
  private List<StoredFile> listed(FileBatches.Batch batch, AwaitedFiles work) throws IOException {
    List<StoredFile> files = new ArrayList<>(batch.now());
    for (long inode : work.unlisted(files)) {
      try {
        files.addAll(session.nameNode().files(BraidPaths.inode(inode)));
      } catch (FileNotFoundException e) {
        // It was deleted.
      }
    }
    return files;
  }

  /** Waits until every block has all its replicas, or HDFS makes no more of them. */
  private void await(FileBatches.Batch batch, AwaitedFiles work) throws IOException {
    ReplicaWait wait =
        new ReplicaWait(session.nameNode().cluster().getReconstructionTimeoutSeconds());
    Stopwatch waited = new Stopwatch();
    while (true) {
      work.look(listed(batch, work));
      progress.at("replicating", work.replicas(), work.total());
      if (work.open().isEmpty()) {
        return;
      }
      long now = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime());
      if (wait.isLost(work.isCopied(), now) || wait.isVain(work.replicas(), work.total(), now)) {
        giveUp(work, wait.silence(now));
        return;
      }
      if (waited.seconds() > patience) {
        work.postpone((long) waited.seconds());
        return;
      }
      if (!session.nameNode().leases().renew(session.lease())) {
        throw new IOException(
            ("the coordinator's lease is lost while %s and %d more wait for replicas; parity stays,"
                    + " the files are safe: run braid restore again")
                .formatted(work.open().get(0), work.open().size() - 1));
      }
      if (halted.getAsBoolean()) {
        throw new InterruptedIOException(
            "%d of %d replicas exist; parity stays until all do, the files are safe"
                .formatted(work.replicas(), work.total()));
      }
      // Many files are asked for as seldom as they are many.
      Waiting.pause(Math.min(POLL_MILLIS * batch.calls(), MOST_POLL_MILLIS));
    }
  }

  /**
   * Goes on without the files that lack replicas.
   *
   * @throws IOException where none has been restored: others would fare no better
   */
  private void giveUp(AwaitedFiles work, long seconds) throws IOException {
    String left =
        ("%d of %d replicas exist and none was added for %d s; parity stays, the files are safe: %s"
                + " and %d more wait for replicas; run braid repair if blocks are lost, and braid"
                + " restore again")
            .formatted(
                work.replicas(), work.total(), seconds, work.open().get(0), work.open().size() - 1);
    work.giveUp(seconds);
    if (restored.isEmpty() && work.restored().isEmpty()) {
      throw new IOException(left);
    }
    LOG.warn("{}", left);
  }
}
