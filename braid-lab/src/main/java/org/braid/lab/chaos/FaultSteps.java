package org.braid.lab.chaos;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Chooses the faults of a round, within the budget; all have ended at the end of the round. */
final class FaultSteps {
  private static final int MOST_FAULTS = 7;

  /** One round of so many has no faults: Braid's commands must succeed then. */
  private static final int QUIET_ROUNDS = 6;

  private final List<String> nodes;
  private final List<String> racks;
  private final int lanes;
  private final FaultBudget budget;
  private final SplittableRandom random;

  /** The ends of lasting faults, by affected node or rack. */
  private final Map<String, Fault> lasting = new LinkedHashMap<>();

  private final List<Fault> steps = new ArrayList<>();

  private enum Kind {
    KILL_NODE(5),
    PAUSE_NODE(3),
    CUT_NODE(3),
    CUT_RACK(2),
    FILL_DISK(3),
    REFUSE_FILES(2),
    FLIP_BYTE(4),
    DELETE_REPLICA(3),
    KILL_NAME_NODE(5),
    PAUSE_NAME_NODE(2),
    KILL_COORDINATOR(2),
    PAUSE_COORDINATOR(2),
    KILL_COMMANDS(3),
    KILL_CLIENT(2),
    DECOMMISSION(2),
    RUN_BALANCER(1),
    END_ONE(6);

    private final int weight;

    Kind(int weight) {
      this.weight = weight;
    }
  }

  private static final List<Kind> WEIGHTED =
      Arrays.stream(Kind.values())
          .flatMap(kind -> IntStream.range(0, kind.weight).mapToObj(i -> kind))
          .toList();

  /**
   * The faults of a cluster.
   *
   * @param lanes how many clients there are, and how many processes of Braid's commands
   * @param tolerance how many losses every block survives
   */
  FaultSteps(
      List<String> nodes, List<String> racks, int lanes, int tolerance, SplittableRandom random) {
    this.nodes = List.copyOf(nodes);
    this.racks = List.copyOf(racks);
    this.lanes = lanes;
    this.budget = new FaultBudget(tolerance);
    this.random = random;
  }

  /** The faults of the next round; some rounds have none. */
  List<Fault> round() {
    steps.clear();
    budget.reset();
    if (random.nextInt(QUIET_ROUNDS) > 0) {
      int faults = 2 + random.nextInt(MOST_FAULTS - 1);
      while (faults > 0) {
        steps.add(new Fault.Quiet(1 + random.nextInt(6)));
        faults -= add(WEIGHTED.get(random.nextInt(WEIGHTED.size()))) ? 1 : 0;
      }
      steps.add(new Fault.Quiet(1 + random.nextInt(6)));
      steps.addAll(lasting.values());
      lasting.clear();
    }
    return List.copyOf(steps);
  }

  private boolean add(Kind kind) {
    String node = nodes.get(random.nextInt(nodes.size()));
    int seconds = 2 + random.nextInt(14);
    return switch (kind) {
      case KILL_NODE -> takeAway(node, new Fault.KillNode(node), new Fault.StartNode(node));
      case PAUSE_NODE -> takeAway(node, new Fault.PauseNode(node), new Fault.ResumeNode(node));
      case CUT_NODE -> takeAway(node, new Fault.CutLink(node), new Fault.JoinLink(node));
      case CUT_RACK -> cutRack(racks.get(random.nextInt(racks.size())));
      case FILL_DISK -> takeAway(node, new Fault.FillDisk(node), new Fault.FreeDisk(node));
      case REFUSE_FILES -> takeAway(node, new Fault.RefuseFiles(node), new Fault.FreeDisk(node));
      case FLIP_BYTE -> budget.spendBlock() && steps.add(new Fault.FlipByte(choice()));
      case DELETE_REPLICA -> budget.spendBlock() && steps.add(new Fault.DeleteReplica(choice()));
      // Without some nodes a NameNode that starts stays in safe mode, as documented.
      case KILL_NAME_NODE -> lasting.isEmpty() && steps.add(new Fault.KillNameNode(seconds / 3));
      case PAUSE_NAME_NODE -> steps.add(new Fault.PauseNameNode(seconds));
      case KILL_COORDINATOR -> steps.add(new Fault.KillCoordinator(seconds));
      case PAUSE_COORDINATOR -> steps.add(new Fault.PauseCoordinator(2 * seconds));
      case KILL_COMMANDS -> steps.add(new Fault.KillCommands(random.nextInt(lanes)));
      case KILL_CLIENT -> steps.add(new Fault.KillClient(random.nextInt(lanes)));
      case DECOMMISSION -> decommission(node);
      case RUN_BALANCER -> steps.add(new Fault.RunBalancer(2 * seconds));
      case END_ONE -> endOne();
    };
  }

  private int choice() {
    return random.nextInt(Integer.MAX_VALUE);
  }

  private boolean takeAway(String node, Fault begin, Fault end) {
    if (lasting.containsKey(node) || !budget.spendNode(node)) {
      return false;
    }
    steps.add(begin);
    lasting.put(node, end);
    return true;
  }

  private boolean cutRack(String rack) {
    if (!budget.spendRack()) {
      return false;
    }
    steps.add(new Fault.CutLink(rack));
    lasting.put(rack, new Fault.JoinLink(rack));
    return true;
  }

  private boolean decommission(String node) {
    boolean another = lasting.values().stream().anyMatch(Fault.Recommission.class::isInstance);
    if (another || lasting.containsKey(node)) {
      return false;
    }
    steps.add(new Fault.Decommission(node));
    lasting.put(node, new Fault.Recommission(node));
    return true;
  }

  private boolean endOne() {
    if (lasting.isEmpty()) {
      return false;
    }
    List<String> all = List.copyOf(lasting.keySet());
    Fault end = lasting.remove(all.get(random.nextInt(all.size())));
    return end != null && steps.add(end);
  }
}
