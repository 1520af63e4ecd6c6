package org.braid.cli.text;

import java.util.Optional;
import org.braid.experiment.text.Sizes;
import org.braid.hdfs.api.ConvertReport.Grouping;

/** Describes the savings of grouping blocks by racks. */
public final class GroupingText {
  private GroupingText() {}

  /** One line; empty when all blocks are grouped in the order of their files. */
  public static Optional<String> of(Grouping grouping) {
    if (grouping.groupedOtherwise() == 0) {
      return Optional.empty();
    }
    return Optional.of(
        ("grouped %s by racks: %d to download and %d to relocate (in order of the files: %d and"
                + " %d), parity %s (in order: %s)")
            .formatted(
                Sizes.count(grouping.groupedOtherwise(), "block"),
                grouping.chosen().crossRackDataBlocks(),
                grouping.chosen().relocatedBlocks(),
                grouping.order().crossRackDataBlocks(),
                grouping.order().relocatedBlocks(),
                Sizes.format(grouping.chosen().parityBytes()),
                Sizes.format(grouping.order().parityBytes())));
  }
}
