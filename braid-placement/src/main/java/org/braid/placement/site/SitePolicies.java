package org.braid.placement.site;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.braid.code.Registry;
import org.braid.placement.PlacementException;

/** The registry of policies over sites, the baseline first. */
public final class SitePolicies {
  /** Random nodes, whatever their sites and racks. */
  public static final SitePolicy UNAWARE =
      new Member(
          "unaware",
          "distinct random nodes, without knowledge of sites and racks",
          "Geo-MXOR section V-C",
          SitePolicies::unaware);

  /** The same number of blocks at each site. */
  public static final SitePolicy EVEN =
      new Member(
          "even",
          "the blocks of a stripe split evenly over the sites, copies of a parity at other sites",
          "Geo-MXOR sections V-C and V-D",
          (request, random) ->
              new SiteCompletion(request, random)
                  .place(IntStream.range(0, request.code().n()).mapToObj(List::of).toList()));

  /** Each locality group at one site. */
  public static final SitePolicy CODE_AWARE =
      new Member(
          "code-aware",
          "each locality group of the code at one site, groups spread evenly",
          "Geo-MXOR section VII-D",
          (request, random) ->
              new SiteCompletion(request, random).place(LocalityGroups.of(request.code())));

  private static final Registry<SitePolicy> ALL =
      new Registry<>("site policy", List.of(UNAWARE, EVEN, CODE_AWARE), SitePolicy::name);

  private SitePolicies() {}

  private static int[][] unaware(SiteRequest request, RandomGenerator random) {
    List<Integer> nodes =
        new ArrayList<>(IntStream.of(request.eligible().nodes()).boxed().toList());
    if (nodes.size() < request.total()) {
      throw new PlacementException(
          "nodes",
          request.total(),
          nodes.size(),
          "%s needs %d nodes, copies of parities included, %d are eligible: add nodes"
              .formatted(request.code().name(), request.total(), nodes.size()));
    }
    int next = 0;
    int[][] places = new int[request.code().n()][];
    for (int block = 0; block < places.length; block++) {
      places[block] = new int[request.copies(block)];
      for (int copy = 0; copy < places[block].length; copy++) {
        int chosen = next + random.nextInt(nodes.size() - next);
        places[block][copy] = nodes.get(chosen);
        nodes.set(chosen, nodes.get(next++));
      }
    }
    return places;
  }

  /** All policies, in the order of listings. */
  public static List<SitePolicy> all() {
    return ALL.all();
  }

  /**
   * The policy of a name.
   *
   * @throws IllegalArgumentException when there is none; lists the known names
   */
  public static SitePolicy named(String name) {
    return ALL.named(name);
  }

  private interface Maker {
    int[][] place(SiteRequest request, RandomGenerator random);
  }

  private record Member(String name, String description, String source, Maker maker)
      implements SitePolicy {
    @Override
    public SiteLayout place(SiteRequest request, RandomGenerator random) {
      return new SiteLayout(
          request.eligible().topology(), request.code(), maker.place(request, random));
    }
  }
}
