package org.braid.hdfs.coordinator.convert;

import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.QuotaExceededException;
import org.braid.code.ErasureCode;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.coordinator.session.StripeMap;
import org.braid.hdfs.dispatch.WorkerException;
import org.braid.hdfs.engine.FailureReason;
import org.braid.hdfs.failure.Causes;
import org.braid.hdfs.policy.HiddenDirectories;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.Replica;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.placement.PlacementException;
import org.jspecify.annotations.Nullable;

/**
 * Why a file cannot be converted.
 *
 * @param cause a stable word
 * @param reason a sentence with numbers and what to do
 */
record Obstacle(String cause, String reason) {
  /** The first obstacle of a file, null when there is none. */
  static @Nullable Obstacle of(StoredFile file, StripeMap stripes, ErasureCode code) {
    for (String found : file.obstacles()) {
      return new Obstacle(found, words(found, file));
    }
    int missing = 0;
    for (BlockStatus block : file.blocks()) {
      boolean readable = block.replicas().stream().anyMatch(Replica::isGood);
      StripeStatus stripe = stripes.of(block);
      if (!readable && stripe == null) {
        missing++;
      }
      if (stripe != null && !stripe.stripe().recordedCode().name().equals(code.name())) {
        return new Obstacle(
            "OTHER_CODE",
            "it is converted with "
                + stripe.stripe().recordedCode().name()
                + " already: run braid restore first to choose "
                + code.name());
      }
    }
    if (missing > 0) {
      return new Obstacle(
          "BLOCKS_MISSING",
          missing
              + " of its "
              + file.blocks().size()
              + " blocks have no readable replica: run braid repair first, or bring their DataNodes back");
    }
    return null;
  }

  /**
   * The obstacle that a file is in a hidden directory that no path names; null when it is not, or
   * when the file relies on stripes: its conversion is finished, or stays.
   *
   * @param known also the stripes that lost data blocks
   */
  static @Nullable Obstacle hidden(StoredFile file, StripeMap known, HiddenDirectories hidden) {
    Optional<String> directory = hidden.around(file.path(), BraidPaths.inode(file.inode()));
    if (directory.isEmpty()) {
      return null;
    }
    boolean restored = file.replication() > 1 && known.isRestored(file);
    return file.blocks().stream().anyMatch(known::holds) && !restored
        ? null
        : new Obstacle(HiddenDirectories.CAUSE, HiddenDirectories.reason(directory.get()));
  }

  /** The obstacle for a failure at a stripe of the file. */
  static Obstacle of(Exception met) {
    String cause =
        met instanceof LeftByUsersException left
            ? left.word()
            : met instanceof RefusedException || met instanceof PlacementException
                ? "REFUSED"
                : exceedsQuota(met) ? "QUOTA" : "FAILED";
    return new Obstacle(cause, FailureReason.of(met));
  }

  /** Whether one of the causes of a failure is an exceeded quota. */
  private static boolean exceedsQuota(Throwable met) {
    return Causes.of(met).stream()
        .anyMatch(
            cause ->
                cause instanceof QuotaExceededException
                    || (cause instanceof WorkerException worker
                        && worker.kind() == WorkerException.Kind.QUOTA));
  }

  /**
   * The replicas that HDFS keeps of the file's blocks: the maximum of its replication in the file
   * and in all snapshots.
   */
  private static int replicas(StoredFile file) {
    return file.blocks().stream()
        .mapToInt(BlockStatus::expected)
        .reduce(file.replication(), Math::max);
  }

  private static String words(String cause, StoredFile file) {
    return switch (cause) {
      case "EMPTY" -> "it has 0 bytes and so no block to encode";
      case "UNDER_CONSTRUCTION", "INCOMPLETE_BLOCK" ->
          "it is being written: close it (hdfs debug recoverLease) and convert again";
      case "STRIPED" -> "HDFS stores it erasure-coded already";
      case "ENCRYPTED_ROOT" ->
          "the root directory is an encryption zone, in which parity would be encrypted: only zones"
              + " below it are converted";
      case "IN_SNAPSHOT" ->
          "a snapshot holds it at replication "
              + replicas(file)
              + ", so that no replica could be dropped: delete the snapshot or convert before it";
      case "ORDERED_SNAPSHOTS" ->
          "dfs.namenode.snapshot.deletion.ordered is on: HDFS deletes snapshots later and by itself,"
              + " also what lost blocks are to be rebuilt from; turn it off first";
      case "LAZY_PERSIST" ->
          "its storage policy is LAZY_PERSIST, under which HDFS writes to memory and deletes files"
              + " that lost a block: set another one first (hdfs storagepolicies)";
      default -> "HDFS says " + cause;
    };
  }
}
