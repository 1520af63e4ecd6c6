package org.braid.cli.place;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.braid.cli.BaseCommand;
import org.braid.cli.CodeArgument;
import org.braid.cli.Converters;
import org.braid.cli.ExitStatus;
import org.braid.cli.Outcome;
import org.braid.cli.text.Json;
import org.braid.placement.BlockPlacer;
import org.braid.placement.EncoderChoice;
import org.braid.placement.EncodingAwareReplication.StripeState;
import org.braid.placement.ReplicationPolicies;
import org.braid.placement.ReplicationPolicy;
import org.braid.placement.StripeLimits;
import org.braid.placement.StripePlacement.StripeLayout;
import org.braid.placement.StripeRule;
import org.braid.placement.StripeRules;
import org.braid.placement.SubstripeLimits;
import org.braid.placement.SubstripePlacement;
import org.braid.placement.Topology;
import org.braid.placement.site.SiteLayout;
import org.braid.placement.site.SitePolicies;
import org.braid.placement.site.SitePolicy;
import org.braid.placement.site.SiteRequest;
import org.braid.placement.site.SiteRules;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "show",
    description = {
      "Draws one stripe: the replicas of its data blocks as a policy places them, and the places of",
      "all blocks after encoding. Policies over sites draw the encoded stripe alone; with",
      "--placement the replicas are placed so that they are kept."
    },
    footer = {
      "",
      "Example: one stripe, and one over three sites",
      "  braid place show rs-6-3 --topology 6x3 --policy preliminary",
      "  braid place show mxor-10-7 --topology 3x2x5 --policy code-aware",
      "  braid place show mxor-10-7 --topology 3x6x3 --placement code-aware"
    })
final class ShowCommand extends BaseCommand {
  @Mixin
  @SuppressWarnings("NullAway.Init")
  private CodeArgument argument;

  @Option(
      names = "--topology",
      required = true,
      paramLabel = "RxN",
      description = "Racks and nodes of each; SxRxN: sites, racks of each and nodes of these.")
  @SuppressWarnings("NullAway.Init")
  private Topology topology;

  @Option(
      names = "--policy",
      defaultValue = "ear",
      paramLabel = "POLICY",
      description = "As braid place list has them; default: ${DEFAULT-VALUE}.")
  private String policy = "ear";

  @Option(
      names = "--placement",
      paramLabel = "POLICY",
      description =
          "The policy over sites, even or code-aware, that data is written for; default: racks"
              + " alone.")
  private @Nullable String placement;

  @Option(
      names = "--parity-copies",
      defaultValue = "1",
      paramLabel = "N",
      converter = Converters.Count.class,
      description = "Copies of each parity over sites, 1 to 3; default: ${DEFAULT-VALUE}.")
  private int parityCopies;

  @Mixin
  @SuppressWarnings("NullAway.Init")
  private PlaceOptions options;

  @Override
  protected Outcome perform() {
    for (SitePolicy site : SitePolicies.all()) {
      if (site.name().equals(policy)) {
        return sites(site);
      }
    }
    for (ReplicationPolicy replication : ReplicationPolicies.all()) {
      if (replication.name().equals(policy)) {
        return stripe(replication);
      }
    }
    throw wrong(
        "unknown placement policy \"%s\"; known: %s"
            .formatted(
                policy,
                Stream.concat(
                        ReplicationPolicies.all().stream().map(ReplicationPolicy::name),
                        SitePolicies.all().stream().map(SitePolicy::name))
                    .collect(Collectors.joining(", "))));
  }

  private Outcome stripe(ReplicationPolicy replication) {
    if (replication == ReplicationPolicies.EAR_LRC && argument.code().groups().isEmpty()) {
      throw wrong(
          argument.code().name() + " has no local groups, which policy ear-lrc is about: use ear");
    }
    RandomGenerator random = options.random();
    if (placement != null) {
      return overSites(replication, policyOverSites(placement), random);
    }
    StripeLimits limits = options.limits(argument.code(), topology, random);
    BlockPlacer placer = replication.on(topology, argument.code(), limits, options.layout());
    StripeState state = written(placer, random);
    StripeLayout layout;
    if (replication == ReplicationPolicies.EAR_LRC) {
      SubstripeLimits substripes = ReplicationPolicies.substripes(argument.code(), limits);
      layout =
          SubstripePlacement.layout(topology, node -> true, state.replicas(), substripes, random);
    } else {
      layout =
          StripeRules.of(argument.code(), limits)
              .layout(topology, node -> true, state.replicas(), random);
    }
    return drawn(state, layout, random);
  }

  private SitePolicy policyOverSites(String name) {
    List<SitePolicy> known = List.of(SitePolicies.EVEN, SitePolicies.CODE_AWARE);
    return known.stream()
        .filter(site -> site.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                wrong(
                    "unknown placement \"%s\"; known: %s"
                        .formatted(
                            name,
                            known.stream()
                                .map(SitePolicy::name)
                                .collect(Collectors.joining(", ")))));
  }

  private Outcome overSites(
      ReplicationPolicy replication, SitePolicy over, RandomGenerator random) {
    if (replication != ReplicationPolicies.EAR) {
      throw wrong(
          "--placement %s is for --policy %s, not %s"
              .formatted(over.name(), ReplicationPolicies.EAR.name(), replication.name()));
    }
    StripeRule rule =
        SiteRules.on(argument.code(), over, options.perRack(), topology, node -> true);
    StripeState state = written(rule.replication(topology, options.layout()), random);
    return drawn(state, rule.layout(topology, node -> true, state.replicas(), random), random);
  }

  private StripeState written(BlockPlacer placer, RandomGenerator random) {
    StripeState state = StripeState.EMPTY;
    for (int block = 0; block < argument.code().k(); block++) {
      state = state.plus(placer.place(state, node -> true, -1, options.replicas(), random));
    }
    return state;
  }

  private Outcome drawn(StripeState state, StripeLayout layout, RandomGenerator random) {
    int encoder = EncoderChoice.coreRack(topology, node -> true, state.replicas(), random);
    int downloads = EncoderChoice.crossRackDownloads(topology, encoder, state.replicas());
    int[] nodes =
        IntStream.concat(Arrays.stream(layout.dataNodes()), Arrays.stream(layout.parityNodes()))
            .toArray();
    return new Outcome(
        ExitStatus.DONE,
        object(state, encoder, downloads, layout, nodes),
        lines(state, encoder, downloads, layout, nodes));
  }

  private ObjectNode object(
      StripeState state, int encoder, int downloads, StripeLayout layout, int[] nodes) {
    ObjectNode object = head();
    object.put("core_rack", topology.rackName(topology.rackOf(encoder)));
    object.put("encoder", topology.nodeName(encoder));
    ArrayNode blocks = object.putArray("blocks");
    for (int block = 0; block < nodes.length; block++) {
      ObjectNode node = blocks.addObject().put("block", block);
      ArrayNode replicas = node.putArray("replicas");
      if (block < argument.code().k()) {
        for (int replica : state.replicas().get(block)) {
          replicas.add(topology.nodeName(replica));
        }
      }
      node.put("node", topology.nodeName(nodes[block]));
      node.put("relocated", layout.relocated().contains(block));
    }
    object.put("cross_rack_downloads", downloads);
    object.put("relocations", layout.relocated().size());
    return object;
  }

  private ObjectNode head() {
    return Json.object()
        .put("code", argument.code().name())
        .put("policy", policy)
        .put("sites", topology.sites())
        .put("racks", topology.racks())
        .put("nodes", topology.nodes())
        .put("seed", options.seed());
  }

  private List<String> lines(
      StripeState state, int encoder, int downloads, StripeLayout layout, int[] nodes) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s by %s, %d replicas, core rack %s"
            .formatted(
                argument.code().name(),
                policy,
                options.replicas(),
                topology.rackName(topology.rackOf(encoder))));
    lines.add("");
    lines.add("Replicas before encoding");
    List<List<String>> cells = empty();
    for (int block = 0; block < argument.code().k(); block++) {
      for (int node : state.replicas().get(block)) {
        cells.get(node).add(label(block) + (node == nodes[block] ? "*" : ""));
      }
    }
    lines.addAll(Grid.lines(topology, cells));
    lines.add("* stays");
    lines.add("");
    lines.add("After encoding");
    cells = empty();
    for (int block = 0; block < nodes.length; block++) {
      boolean moved = layout.relocated().contains(block);
      cells.get(nodes[block]).add(label(block) + (moved ? "!" : ""));
    }
    lines.addAll(Grid.lines(topology, cells));
    if (!layout.relocated().isEmpty()) {
      lines.add("! relocated");
    }
    lines.add("");
    lines.add("encoded on " + topology.nodeName(encoder));
    lines.add("cross-rack downloads: " + downloads);
    lines.add("relocations: " + layout.relocated().size());
    return lines;
  }

  private List<List<String>> empty() {
    return IntStream.range(0, topology.nodes())
        .<List<String>>mapToObj(node -> new ArrayList<>())
        .toList();
  }

  /** Data blocks are D0.., parities P0... */
  private String label(int block) {
    return block < argument.code().k() ? "D" + block : "P" + (block - argument.code().k());
  }

  private Outcome sites(SitePolicy site) {
    if (parityCopies > SiteRequest.MAX_PARITY_COPIES) {
      throw wrong(
          "--parity-copies %d, needed are 1 to %d"
              .formatted(parityCopies, SiteRequest.MAX_PARITY_COPIES));
    }
    int perRack =
        options.perRack().orElse(argument.code().k() + argument.code().m() * parityCopies);
    SiteLayout layout =
        site.place(
            new SiteRequest(topology, node -> true, argument.code(), parityCopies, perRack),
            options.random());
    ObjectNode object = head().put("parity_copies", parityCopies);
    ArrayNode blocks = object.putArray("blocks");
    List<List<String>> cells = empty();
    for (int block = 0; block < argument.code().n(); block++) {
      ArrayNode copies = blocks.addObject().put("block", block).putArray("nodes");
      for (int node : layout.nodes()[block]) {
        copies.add(topology.nodeName(node));
        cells.get(node).add(label(block));
      }
    }
    List<String> survived =
        IntStream.range(0, topology.sites())
            .filter(layout::survives)
            .mapToObj(topology::siteName)
            .toList();
    object.put("mean_cross_site_reads", layout.meanCrossSiteReads());
    ArrayNode names = object.putArray("survives_loss_of");
    survived.forEach(names::add);
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s by %s, parities stored %d times"
            .formatted(argument.code().name(), policy, parityCopies));
    lines.add("");
    lines.addAll(Grid.lines(topology, cells));
    lines.add("");
    lines.add(
        "blocks read from other sites to rebuild a data block: %.2f on average"
            .formatted(layout.meanCrossSiteReads()));
    lines.add("sites whose loss is survived: " + (survived.isEmpty() ? "none" : survived));
    return new Outcome(ExitStatus.DONE, object, lines);
  }
}
