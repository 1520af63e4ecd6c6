package org.braid.sim.advise;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.braid.sim.durability.Durability;

/**
 * A code, a placement and a shape of repair on a cluster, with its figures.
 *
 * @param code its name
 * @param placement in words, short
 * @param perRack blocks of a stripe in a rack at most
 * @param shape of repairs
 * @param overhead bytes stored for a byte of data
 * @param durability of the cluster's data
 * @param nodes any so many may be lost
 * @param racks any so many may be lost
 * @param sites any so many may be lost
 * @param repairBlocks blocks that move to rebuild one
 * @param crossRack of these across racks
 * @param crossSite of these across sites
 * @param rebuildSeconds until a lost node is rebuilt
 * @param readSeconds until a reader has a lost block
 * @param conversion blocks that cross racks to convert a block from three replicas, encoding-aware;
 *     not a number when that placement cannot be made
 */
public record Choice(
    String code,
    String placement,
    int perRack,
    String shape,
    double overhead,
    Durability durability,
    int nodes,
    int racks,
    int sites,
    double repairBlocks,
    double crossRack,
    double crossSite,
    double rebuildSeconds,
    double readSeconds,
    double conversion) {

  /** Beyond so many nines something else than disks and nodes loses the data. */
  public static final double MOST_NINES = 20;

  private static final double LEAST_LOST = Math.pow(10, -MOST_NINES);

  /** What choices are compared by; less is better. */
  public enum Figure {
    OVERHEAD,
    DURABILITY,
    REPAIR,
    READ,
    CONVERSION;

    /** The figure of a choice. */
    public double of(Choice choice) {
      return switch (this) {
        case OVERHEAD -> choice.overhead();
        case DURABILITY -> Math.max(LEAST_LOST, choice.durability().lostShare());
        // A block between sites weighs more than any number inside one.
        case REPAIR -> choice.crossSite() * 1000 + choice.crossRack();
        case READ -> choice.readSeconds();
        case CONVERSION ->
            Double.isNaN(choice.conversion()) ? Double.MAX_VALUE : choice.conversion();
      };
    }

    /**
     * The figure on a scale on which equals are equal although they come from samples: steps of 2
     * %, and of a fifth of a nine.
     */
    long grade(Choice choice) {
      double value = of(choice);
      double steps = this == DURABILITY ? 5 / Math.log(10) : 50;
      return value <= 0 ? Long.MIN_VALUE : Math.round(Math.log(value) * steps);
    }

    /** The figure in words. */
    String text(Choice choice) {
      return switch (this) {
        case OVERHEAD -> String.format(Locale.ROOT, "overhead %.3f", choice.overhead());
        case DURABILITY -> String.format(Locale.ROOT, "%.2f nines", choice.durability().nines());
        case REPAIR ->
            String.format(Locale.ROOT, "%.2f blocks across racks a repair", choice.crossRack());
        case READ -> String.format(Locale.ROOT, "%.2f s to read", choice.readSeconds());
        case CONVERSION ->
            String.format(Locale.ROOT, "%.2f blocks to convert", choice.conversion());
      };
    }
  }

  /** Whether another is no worse in any figure and better in one, as far as samples can tell. */
  boolean isBeatenBy(Choice other) {
    boolean better = false;
    for (Figure figure : Figure.values()) {
      long ours = figure.grade(this);
      long theirs = figure.grade(other);
      if (theirs > ours) {
        return false;
      }
      better |= theirs < ours;
    }
    return better;
  }

  /** The reasons why it is not within limits, with numbers; none when it is. */
  List<String> breaches(Limits limits, double nines) {
    List<String> reasons = new ArrayList<>();
    if (overhead > limits.overhead() + 1e-12) {
      reasons.add(
          String.format(Locale.ROOT, "overhead %.3f, at most %.3f", overhead, limits.overhead()));
    }
    survives(reasons, "nodes", nodes, limits.nodes());
    survives(reasons, "racks", racks, limits.racks());
    survives(reasons, "sites", sites, limits.sites());
    if (durability.nines() < nines) {
      reasons.add(
          String.format(Locale.ROOT, "%.2f nines, at least %.2f", durability.nines(), nines));
    }
    return reasons;
  }

  private static void survives(List<String> reasons, String what, int survived, int asked) {
    if (survived < asked) {
      reasons.add("survives the loss of %d %s, asked for %d".formatted(survived, what, asked));
    }
  }
}
