package org.braid.placement.site;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.braid.code.ErasureCode;
import org.braid.code.LocalGroup;
import org.braid.code.Solver;
import org.braid.placement.Topology;

/**
 * The nodes of a stripe over sites.
 *
 * @param topology the cluster
 * @param code the code
 * @param nodes for each block the nodes of its copies
 */
@SuppressWarnings("ArrayRecordComponent") // a plain carrier: never compared, never a key
public record SiteLayout(Topology topology, ErasureCode code, int[][] nodes) {
  /** Blocks at each site, copies included. */
  public int[] blocksPerSite() {
    int[] count = new int[topology.sites()];
    Arrays.stream(nodes).flatMapToInt(Arrays::stream).forEach(n -> count[topology.siteOf(n)]++);
    return count;
  }

  /** Whether the loss of a site loses no data. */
  public boolean survives(int site) {
    List<Integer> lost =
        IntStream.range(0, nodes.length)
            .filter(block -> Arrays.stream(nodes[block]).allMatch(n -> topology.siteOf(n) == site))
            .boxed()
            .toList();
    return Solver.decodable(code, lost);
  }

  /**
   * The fewest blocks that a repair at the site of a lost copy reads from other sites: 0 with
   * another copy at the site, 1 with a copy elsewhere.
   */
  public int crossSiteReads(int block, int copy) {
    int site = topology.siteOf(nodes[block][copy]);
    if (nodes[block].length > 1) {
      return IntStream.range(0, nodes[block].length)
              .anyMatch(c -> c != copy && topology.siteOf(nodes[block][c]) == site)
          ? 0
          : 1;
    }
    List<Integer> near = new ArrayList<>();
    List<Integer> far = new ArrayList<>();
    for (int other = 0; other < nodes.length; other++) {
      if (other != block) {
        (isAt(other, site) ? near : far).add(other);
      }
    }
    int fewest = far(block, concat(near, far), site);
    for (LocalGroup group : code.groups()) {
      if (group.blocks().contains(block)) {
        fewest = Math.min(fewest, far(block, group.without(List.of(block)), site));
      }
    }
    return fewest;
  }

  private static List<Integer> concat(List<Integer> first, List<Integer> then) {
    List<Integer> all = new ArrayList<>(first);
    all.addAll(then);
    return all;
  }

  /**
   * Number of blocks of other sites in the repair equation of a block; prefers available blocks
   * that come first.
   */
  private int far(int block, List<Integer> available, int site) {
    return (int)
        Solver.solve(code, List.of(block), available).orElseThrow().stream()
            .flatMap(equation -> equation.terms().stream())
            .map(term -> term.source().block())
            .distinct()
            .filter(source -> !isAt(source, site))
            .count();
  }

  private boolean isAt(int block, int site) {
    return Arrays.stream(nodes[block]).anyMatch(n -> topology.siteOf(n) == site);
  }

  /** The mean of {@link #crossSiteReads} over the data blocks. */
  public double meanCrossSiteReads() {
    return IntStream.range(0, code.k()).map(b -> crossSiteReads(b, 0)).average().orElse(0);
  }
}
