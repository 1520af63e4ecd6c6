package org.braid.sim.advise;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.braid.sim.durability.Durability;

/**
 * A code, a placement and a shape of repair on a cluster, with what was measured of it.
 *
 * @param code name of the code
 * @param placement short description
 * @param perRack most blocks of a stripe in a rack
 * @param shape of repairs
 * @param overhead bytes stored for a byte of data
 * @param durability of the cluster's data
 * @param nodes number of nodes any of which may be lost together
 * @param racks number of racks any of which may be lost together
 * @param sites number of sites any of which may be lost together
 * @param repairBlocks blocks that move to rebuild one block
 * @param crossRack blocks that cross racks to rebuild one block
 * @param crossSite blocks that cross sites to rebuild one block
 * @param rebuildSeconds time to rebuild a lost node
 * @param readSeconds time of a degraded read of one block
 * @param conversion blocks that cross racks to convert one data block with three replicas, placed
 *     encoding-aware; NaN when that placement is impossible
 */
public record Candidate(
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

  /** More nines make no difference: other causes than disks and nodes then dominate data loss. */
  public static final double MOST_NINES = 20;

  private static final double LEAST_LOST = Math.pow(10, -MOST_NINES);

  /** A criterion by which candidates are compared; less is better. */
  public enum Criterion {
    OVERHEAD,
    DURABILITY,
    REPAIR,
    READ,
    CONVERSION;

    /** The value of a candidate. */
    public double of(Candidate candidate) {
      return switch (this) {
        case OVERHEAD -> candidate.overhead();
        case DURABILITY -> Math.max(LEAST_LOST, candidate.durability().lostShare());
        // One block between sites outweighs all blocks inside sites.
        case REPAIR -> candidate.crossSite() * 1000 + candidate.crossRack();
        case READ -> candidate.readSeconds();
        case CONVERSION ->
            Double.isNaN(candidate.conversion()) ? Double.MAX_VALUE : candidate.conversion();
      };
    }

    /**
     * The value in steps of 2 %, durability in steps of a fifth of a nine: values come from
     * samples, and smaller differences mean nothing.
     */
    long grade(Candidate candidate) {
      double value = of(candidate);
      double steps = this == DURABILITY ? 5 / Math.log(10) : 50;
      return value <= 0 ? Long.MIN_VALUE : Math.round(Math.log(value) * steps);
    }

    /** The value in words. */
    String text(Candidate candidate) {
      return switch (this) {
        case OVERHEAD -> String.format(Locale.ROOT, "overhead %.3f", candidate.overhead());
        case DURABILITY -> String.format(Locale.ROOT, "%.2f nines", candidate.durability().nines());
        case REPAIR ->
            String.format(Locale.ROOT, "%.2f blocks across racks a repair", candidate.crossRack());
        case READ -> String.format(Locale.ROOT, "%.2f s to read", candidate.readSeconds());
        case CONVERSION ->
            String.format(Locale.ROOT, "%.2f blocks to convert", candidate.conversion());
      };
    }
  }

  /** Whether another candidate has no worse grade in any criterion and a better one in some. */
  boolean isDominatedBy(Candidate other) {
    boolean better = false;
    for (Criterion criterion : Criterion.values()) {
      long ours = criterion.grade(this);
      long theirs = criterion.grade(other);
      if (theirs > ours) {
        return false;
      }
      better |= theirs < ours;
    }
    return better;
  }

  /** The requirements that the candidate does not meet, with numbers. */
  List<String> breaches(Requirements requirements, double nines) {
    List<String> reasons = new ArrayList<>();
    if (overhead > requirements.overhead() + 1e-12) {
      reasons.add(
          String.format(
              Locale.ROOT,
              "overhead %.3f, at most %.3f allowed",
              overhead,
              requirements.overhead()));
    }
    survives(reasons, "nodes", nodes, requirements.nodes());
    survives(reasons, "racks", racks, requirements.racks());
    survives(reasons, "sites", sites, requirements.sites());
    if (durability.nines() < nines) {
      reasons.add(
          Double.isInfinite(nines)
              ? String.format(Locale.ROOT, "%.2f nines, no loss is allowed", durability.nines())
              : String.format(
                  Locale.ROOT, "%.2f nines, at least %.2f required", durability.nines(), nines));
    }
    return reasons;
  }

  private static void survives(List<String> reasons, String what, int survived, int asked) {
    if (survived < asked) {
      reasons.add("survives the loss of %d %s, %d required".formatted(survived, what, asked));
    }
  }
}
