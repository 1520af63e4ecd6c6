package org.braid.cli.place;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.braid.cli.command.BaseCommand;
import org.braid.cli.command.CodeArgument;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.ExitStatus;
import org.braid.cli.command.ParityCopiesOption;
import org.braid.cli.text.Json;
import org.braid.placement.EligibleNodes;
import org.braid.placement.Topology;
import org.braid.placement.replication.EncoderChoice;
import org.braid.placement.replication.ReplicatedStripe;
import org.braid.placement.replication.ReplicationPolicies;
import org.braid.placement.replication.ReplicationPolicy;
import org.braid.placement.rule.EncodedStripe;
import org.braid.placement.rule.StripeLimits;
import org.braid.placement.rule.StripeRule;
import org.braid.placement.rule.StripeRules;
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
      "Shows one stripe: the replicas of its data blocks under a policy and the"
          + " nodes of all blocks after encoding. A policy over sites shows only the"
          + " encoded stripe when it is given by --policy; given by --placement, it also"
          + " places the replicas."
    },
    footer = {
      "",
      "Example: one stripe, and one over three sites",
      "  braid place show rs-6-3 --topology 6x3 --policy preliminary",
      "  braid place show mxor-10-7 --topology 3x2x5 --policy code-aware",
      "  braid place show mxor-10-7 --topology 3x6x3 --placement code-aware"
    })
final class ShowCommand extends BaseCommand {
  @Mixin private final CodeArgument argument = new CodeArgument();

  @Option(
      names = "--topology",
      required = true,
      paramLabel = "RxN",
      description = "R racks of N nodes, or SxRxN: R racks of N nodes at each of S sites.")
  @SuppressWarnings("NullAway.Init")
  private Topology topology;

  @Option(
      names = "--policy",
      defaultValue = "ear",
      paramLabel = "POLICY",
      description = "Placement policy, from braid place list; default: ${DEFAULT-VALUE}.")
  private String policy = "ear";

  @Option(
      names = "--placement",
      paramLabel = "POLICY",
      description =
          "Policy over sites for which EAR places the replicas: even or code-aware;"
              + " default: over racks only.")
  private @Nullable SitePolicy placement;

  @Mixin
  @SuppressWarnings("NullAway.Init")
  private ParityCopiesOption parity;

  @Mixin private final PlaceOptions options = new PlaceOptions();

  @Override
  protected CommandResult perform() {
    for (SitePolicy site : SitePolicies.all()) {
      if (site.name().equals(policy)) {
        if (placement != null) {
          throw wrong(
              "--placement %s is for --policy %s, not %s"
                  .formatted(placement.name(), ReplicationPolicies.EAR.name(), policy));
        }
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

  private CommandResult stripe(ReplicationPolicy replication) {
    if (parity.copies() > 1) {
      throw wrong(
          "--parity-copies %d is for a policy over sites, not %s"
              .formatted(parity.copies(), replication.name()));
    }
    if (replication == ReplicationPolicies.EAR_LRC && argument.code().groups().isEmpty()) {
      throw wrong(
          argument.code().name() + " has no local groups, which policy ear-lrc requires: use ear");
    }
    RandomGenerator random = options.random();
    if (placement != null) {
      return overSites(replication, placement, random);
    }
    StripeLimits limits = options.limits(argument.code(), topology, random);
    return drawn(replication, StripeRules.of(argument.code(), limits), random);
  }

  private CommandResult overSites(
      ReplicationPolicy replication, SitePolicy over, RandomGenerator random) {
    if (replication != ReplicationPolicies.EAR) {
      throw wrong(
          "--placement %s is for --policy %s, not %s"
              .formatted(over.name(), ReplicationPolicies.EAR.name(), replication.name()));
    }
    StripeRule rule =
        SiteRules.on(argument.code(), over, options.perRack(), EligibleNodes.all(topology));
    return drawn(replication, rule, random);
  }

  /** Places a stripe under a policy, encodes it and shows both states. */
  private CommandResult drawn(
      ReplicationPolicy replication, StripeRule rule, RandomGenerator random) {
    EligibleNodes all = EligibleNodes.all(topology);
    ReplicatedStripe state =
        replication
            .placer(rule, options.layout())
            .placeStripe(argument.code().k(), all, options.replicas(), random);
    EncodedStripe layout = replication.encode(rule, all, state.replicas(), random);
    int encoder = EncoderChoice.coreRack(all, state.replicas(), random);
    int downloads = EncoderChoice.crossRackDownloads(topology, encoder, state.replicas());
    int[] nodes = layout.nodes();
    return new CommandResult(
        ExitStatus.DONE,
        object(state, encoder, downloads, layout, nodes),
        lines(state, encoder, downloads, layout, nodes));
  }

  private ObjectNode object(
      ReplicatedStripe state, int encoder, int downloads, EncodedStripe layout, int[] nodes) {
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
      ReplicatedStripe state, int encoder, int downloads, EncodedStripe layout, int[] nodes) {
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
    lines.addAll(RackText.lines(topology, cells));
    lines.add("* stays");
    lines.add("");
    lines.add("After encoding");
    cells = empty();
    for (int block = 0; block < nodes.length; block++) {
      boolean moved = layout.relocated().contains(block);
      cells.get(nodes[block]).add(label(block) + (moved ? "!" : ""));
    }
    lines.addAll(RackText.lines(topology, cells));
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

  /** The label of a block: D0.. for data, P0.. for parity. */
  private String label(int block) {
    return block < argument.code().k() ? "D" + block : "P" + (block - argument.code().k());
  }

  private CommandResult sites(SitePolicy site) {
    int parityCopies = parity.copies();
    int perRack =
        options.perRack().orElse(argument.code().k() + argument.code().m() * parityCopies);
    SiteLayout layout =
        site.place(
            new SiteRequest(EligibleNodes.all(topology), argument.code(), parityCopies, perRack),
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
    lines.addAll(RackText.lines(topology, cells));
    lines.add("");
    lines.add(
        "blocks read from other sites to rebuild a data block: %.2f on average"
            .formatted(layout.meanCrossSiteReads()));
    lines.add("sites whose loss is survived: " + (survived.isEmpty() ? "none" : survived));
    return new CommandResult(ExitStatus.DONE, object, lines);
  }
}
