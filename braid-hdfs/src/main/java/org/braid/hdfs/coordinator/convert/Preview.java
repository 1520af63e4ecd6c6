package org.braid.hdfs.coordinator.convert;

import java.util.ArrayList;
import java.util.List;
import org.braid.hdfs.api.ConvertPreview;
import org.braid.hdfs.api.ConvertReport.Skipped;
import org.braid.hdfs.api.ConvertRequest;
import org.braid.hdfs.coordinator.convert.Grouper.Group;
import org.braid.hdfs.coordinator.session.StripeMap;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.plan.cost.Network;
import org.braid.plan.throttle.LinkBytes;
import org.braid.plan.throttle.Throttle;

/** Adds up what a conversion would do, batch by batch. */
final class Preview {
  private final ConvertRequest request;
  private final Network.Rates rates;
  private final Throttle throttle;
  private final LinkBytes links = new LinkBytes();
  private final StoredBytes before = new StoredBytes();
  private final StoredBytes after = new StoredBytes();
  private int files;
  private int already;
  private int stripes;
  private int dataBlocks;
  private int parityBlocks;
  private int relocated;
  private long parityBytes;

  /**
   * Nothing yet.
   *
   * @param throttle what work in the background may use
   */
  Preview(ConvertRequest request, Network.Rates rates, Throttle throttle) {
    this.request = request;
    this.rates = rates;
    this.throttle = throttle;
  }

  /** What stripes to come move over links. */
  LinkBytes links() {
    return links;
  }

  /** Adds a stripe to come. */
  void add(Group group, PredictedStripe stripe) {
    stripes++;
    dataBlocks += group.blocks().size();
    parityBlocks += stripe.parityBlocks();
    parityBytes += stripe.parityBlocks() * stripe.length();
    relocated += stripe.relocated();
  }

  /**
   * Adds a batch of files.
   *
   * @param known the stripes of their blocks
   */
  void add(
      List<StoredFile> converted,
      List<StoredFile> convertedBefore,
      List<StoredFile> leftAlone,
      StripeMap known) {
    List<StoredFile> now = new ArrayList<>(leftAlone);
    now.addAll(convertedBefore);
    List<StoredFile> then = new ArrayList<>(now);
    now.addAll(converted);
    before.add(now, known);
    converted.forEach(file -> then.add(withSingles(file)));
    after.add(then, known.whole());
    files += converted.size();
    already += convertedBefore.size();
  }

  /** Whether nothing is left to be done for a file. */
  static boolean isDone(StoredFile file, StripeMap whole) {
    return file.blocks().stream().allMatch(b -> whole.holds(b) && Converter.finished(file, b));
  }

  /** A file each block of which has one replica. */
  private static StoredFile withSingles(StoredFile file) {
    List<BlockStatus> blocks =
        file.blocks().stream()
            .map(
                block ->
                    new BlockStatus(
                        block.block(),
                        block.replicas().subList(0, Math.min(1, block.replicas().size())),
                        1,
                        block.complete(),
                        block.going()))
            .toList();
    return new StoredFile(
        file.path(),
        file.inode(),
        file.length(),
        file.blockSize(),
        1,
        blocks,
        file.obstacles(),
        file.readers(),
        file.across(),
        file.usage());
  }

  ConvertPreview report(List<Skipped> leftAlone) {
    double seconds = links.seconds(rates, throttle);
    long stored = after.bytes() + parityBytes;
    return new ConvertPreview(
        request.code(),
        files,
        already,
        stripes,
        dataBlocks,
        parityBlocks,
        relocated,
        before.bytes(),
        stored,
        before.bytes() - stored,
        parityBytes,
        links.crossRack(),
        Double.isInfinite(seconds) ? null : Double.valueOf(seconds),
        leftAlone);
  }
}
