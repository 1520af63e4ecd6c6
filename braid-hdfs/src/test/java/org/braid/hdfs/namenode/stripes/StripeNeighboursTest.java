package org.braid.hdfs.namenode.stripes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.Stripe;
import org.braid.hdfs.stripe.StripePromise;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

/** Where HDFS must not copy a block of a stripe to, found without looking at all nodes. */
final class StripeNeighboursTest {
  private final NetworkTopology map = new NetworkTopology();
  private final Map<String, DatanodeDescriptor> registered = new LinkedHashMap<>();

  /** The nodes whose name was asked for. */
  private final Set<String> read = new HashSet<>();

  private final class CountedNode extends DatanodeDescriptor {
    private final String uuid;

    CountedNode(String uuid, String rack) {
      super(new DatanodeID("127.0.0.1", uuid, uuid, registered.size(), 2, 3, 4), rack);
      this.uuid = uuid;
    }

    @Override
    public String getDatanodeUuid() {
      read.add(uuid);
      return uuid;
    }
  }

  /** Adds live nodes of a rack. */
  private void add(String rack, int nodes) {
    for (int i = 0; i < nodes; i++) {
      String uuid = "uuid" + rack.replace('/', '-') + "-" + i;
      DatanodeDescriptor node = new CountedNode(uuid, rack);
      registered.put(uuid, node);
      map.add(node);
    }
  }

  private static Stripe stripe(ErasureCode code, StripePromise promise, List<String> homes) {
    List<Member> members = new ArrayList<>();
    for (int i = 0; i < code.n(); i++) {
      BlockIdentity block = new BlockIdentity(100 + i, 1, 1000);
      members.add(
          homes.get(i).isEmpty() && i < code.k() && i > 0
              ? Member.VIRTUAL
              : i < code.k()
                  ? Member.data(block, i, homes.get(i), 3)
                  : Member.parity(block, i, homes.get(i)));
    }
    return Stripe.encoded("0f", code, members, promise, 1000);
  }

  private StripeNeighbours.Places places(Stripe stripe, List<String> holders) {
    return new StripeNeighbours.Places(
        stripe, stripe.members().stream().map(Member::home).toList(), holders, registered::get);
  }

  /** The rule asked about each node. */
  private Set<Node> plain(StripeNeighbours.Places places, int member) {
    List<DatanodeDescriptor> leaves = new ArrayList<>();
    map.getLeaves(NodeBase.ROOT).forEach(leaf -> leaves.add((DatanodeDescriptor) leaf));
    Predicate<DatanodeDescriptor> fits = places.fits(member, leaves);
    return leaves.stream().filter(fits.negate()).collect(Collectors.toSet());
  }

  private static StripePromise promise(int perRack, List<String> targets) {
    return new StripePromise(perRack, targets, Optional.empty());
  }

  private static StripePromise promise(int perRack, String policy, int perSite) {
    return new StripePromise(
        perRack, List.of(), Optional.of(new StripePromise.Sites(policy, perSite)));
  }

  @Test
  void onlyNodesOfTheStripesRacksAreLookedAt() {
    for (int rack = 0; rack < 100; rack++) {
      add("/r" + rack, 20);
    }
    ErasureCode code = Codes.named("rs-6-3");
    List<String> homes = IntStream.range(0, 9).mapToObj(i -> "uuid-r" + i + "-0").toList();
    StripeNeighbours.Places places = places(stripe(code, promise(1, List.of()), homes), homes);
    read.clear();
    Set<Node> forbidden = places.forbidden(2, map);
    assertEquals(8 * 20, forbidden.size());
    assertTrue(read.size() <= 9 * 20 + 1, read.size() + " of 2000 nodes were looked at");
  }

  @Test
  void theyAreWhatTheRuleSaysOfEachNode() {
    Random random = Seeds.random(StripeNeighboursTest.class);
    List<String> racks = new ArrayList<>();
    for (String site : List.of("", "/paris", "/oslo")) {
      // In a cluster of one level no rack has a site, in HDFS all have as many levels.
      for (int rack = 0; rack < 7; rack++) {
        racks.add((site.isEmpty() ? "/rome" : site) + "/r" + rack);
      }
    }
    for (String rack : racks) {
      add(rack, 1 + random.nextInt(4));
    }
    List<String> uuids = new ArrayList<>(registered.keySet());
    // Dead ones are in no rack of the map.
    for (int i = 0; i < 6; i++) {
      String uuid = "dead-" + i;
      registered.put(uuid, new CountedNode(uuid, racks.get(random.nextInt(racks.size()))));
      uuids.add(uuid);
    }
    uuids.add("unknown");
    int some = 0;
    int all = 0;
    for (int run = 0; run < 3000; run++) {
      ErasureCode code =
          Codes.named(
              List.of("rs-3-2", "rs-6-3", "lrc-10-2-2", "mxor-10-7", "rstair-n5-r4-m1-e2-l1")
                  .get(random.nextInt(5)));
      List<String> targets =
          IntStream.range(0, 6).mapToObj(i -> racks.get(random.nextInt(racks.size()))).toList();
      StripePromise promise =
          switch (random.nextInt(4)) {
            case 0 -> promise(1 + random.nextInt(3), targets);
            case 1 -> promise(1 + random.nextInt(2), "even", 1 + random.nextInt(6));
            case 2 -> promise(1 + random.nextInt(2), "code-aware", 1 + random.nextInt(6));
            default -> promise(1 + random.nextInt(3), List.of());
          };
      int known = random.nextInt(4) == 0 ? uuids.size() : uuids.size() - 1;
      List<String> homes = draw(code.n(), uuids.subList(0, known), random);
      List<String> holders = new ArrayList<>(homes);
      for (int i = 0; i < 2; i++) {
        holders.set(random.nextInt(code.n()), uuids.get(random.nextInt(known)));
      }
      StripeNeighbours.Places places = places(stripe(code, promise, homes), holders);
      int member = 0;
      Set<Node> expected = plain(places, member);
      assertEquals(expected, places.forbidden(member, map), code.name() + " " + promise + homes);
      some += expected.size() < map.getNumOfLeaves() ? 1 : 0;
      all += expected.size() == map.getNumOfLeaves() ? 1 : 0;
    }
    assertTrue(some > 500 && all > 50, some + " some, " + all + " all");
  }

  /** Homes, a node rarely twice, and one member in ten without a block. */
  private static List<String> draw(int n, List<String> uuids, Random random) {
    List<String> homes = new ArrayList<>();
    while (homes.size() < n) {
      String uuid = uuids.get(random.nextInt(uuids.size()));
      if (random.nextInt(10) == 0) {
        homes.add("");
      } else if (!homes.contains(uuid) || random.nextInt(20) == 0) {
        homes.add(uuid);
      }
    }
    return homes;
  }

  /** As two nodes with blocks of a stripe are taken out of service at once. */
  @Test
  void whereOtherBlocksAreOnTheirWayToCounts() {
    for (int rack = 0; rack < 8; rack++) {
      add("/r" + rack, 2);
    }
    List<String> homes = IntStream.range(0, 5).mapToObj(i -> "uuid-r" + i + "-0").toList();
    Stripe stripe = stripe(Codes.named("rs-3-2"), promise(1, List.of()), homes);
    AtomicLong now = new AtomicLong(5);
    var onTheWay = new StripeNeighbours.OnTheWay(now::get, 300);
    assertEquals(Set.of("/r5", "/r6", "/r7"), free(stripe, homes, onTheWay, 0));
    onTheWay.add(101, "uuid-r5-0");
    assertEquals(Set.of("/r6", "/r7"), free(stripe, homes, onTheWay, 0));
    assertEquals(Set.of("/r5", "/r6", "/r7"), free(stripe, homes, onTheWay, 1), "its own");
    now.addAndGet(200);
    onTheWay.add(101, "uuid-r6-1"); // or another block of its file
    onTheWay.add(104, "uuid-r7-0");
    assertEquals(Set.of(), free(stripe, homes, onTheWay, 0));
    assertEquals(Set.of("/r7"), free(stripe, homes, onTheWay, 4));
    now.addAndGet(100);
    assertEquals(Set.of("/r5"), free(stripe, homes, onTheWay, 0));
    now.addAndGet(200);
    assertEquals(Set.of("/r5", "/r6", "/r7"), free(stripe, homes, onTheWay, 0));
    assertTrue(onTheWay.isEmpty());
  }

  /** The racks that have no block of a stripe, and where one may go. */
  private Set<String> free(
      Stripe stripe, List<String> homes, StripeNeighbours.OnTheWay onTheWay, int member) {
    StripeNeighbours.Places places = places(stripe, homes);
    Set<Node> forbidden = new HashSet<>(places.forbidden(member, map));
    places
        .on(onTheWay.of(stripe, stripe.member(member).block().id()))
        .forEach(there -> forbidden.addAll(there.forbidden(member, map)));
    return registered.values().stream()
        .filter(node -> !forbidden.contains(node))
        .map(Node::getNetworkLocation)
        .filter(rack -> !rack.equals("/r" + member))
        .collect(Collectors.toSet());
  }

  /** HDFS chooses for one block after the other, and a file's blocks are copied by turns. */
  @Test
  void aFileIsLookedAtOnceForItsBlocksThatAreCopiedAtOnce() throws IOException {
    add("/r1", 2);
    AtomicLong now = new AtomicLong(5);
    List<String> looks = new ArrayList<>();
    var found = new StripeNeighbours.Found<Set<Node>>(now::get);
    Set<Node> nodes = Set.copyOf(registered.values());
    ForeignFiles.Blocks one = new ForeignFiles.Blocks(1, "one", 0);
    ForeignFiles.Blocks two = new ForeignFiles.Blocks(2, "two", 0);
    for (int block = 0; block < 50; block++) {
      for (ForeignFiles.Blocks file : List.of(one, two)) {
        for (String source : List.of("a", "b")) {
          String look = file.file() + source;
          assertEquals(
              nodes,
              found.of(
                  file,
                  source,
                  () -> {
                    looks.add(look);
                    return nodes;
                  }));
        }
      }
    }
    assertEquals(List.of("1a", "1b", "2a", "2b"), looks);
    now.addAndGet(StripeNeighbours.Found.MILLIS);
    assertEquals(Set.of(), found.of(one, "a", Set::of), "a second later it is looked at again");
    assertEquals(nodes, found.of(new ForeignFiles.Blocks(1, "more", 0), "a", () -> nodes));
  }
}
