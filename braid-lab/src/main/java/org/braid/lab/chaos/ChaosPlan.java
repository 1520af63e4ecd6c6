package org.braid.lab.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.braid.hdfs.testkit.lab.Command;
import org.braid.lab.network.Host;
import org.braid.placement.Topology;

/** The steps of a run: a pure function of its settings, round after round. */
public final class ChaosPlan {
  /** Where all files are. */
  static final String ROOT = "/chaos";

  private final ChaosSettings settings;
  private final List<ClientSteps> clients = new ArrayList<>();
  private final List<FileModel> models = new ArrayList<>();
  private final List<BraidSteps> braid = new ArrayList<>();
  private final FaultSteps faults;
  private final SplittableRandom pauses;

  /** The plan of a run that begins. */
  public ChaosPlan(ChaosSettings settings) {
    this.settings = settings;
    SplittableRandom random = new SplittableRandom(settings.seed());
    List<String> roots = new ArrayList<>(List.of(ROOT));
    for (int lane = 0; lane < ChaosSettings.LANES; lane++) {
      String root = ROOT + "/c" + lane;
      roots.add(root);
      clients.add(new ClientSteps(root, settings.blockSize(), random.split()));
      models.add(new FileModel());
    }
    for (int lane = 0; lane < ChaosSettings.LANES; lane++) {
      braid.add(new BraidSteps(roots, settings.codes(), random.split()));
    }
    Topology topology = settings.topology().topology();
    this.faults =
        new FaultSteps(
            settings.topology().hosts(Host.Role.DATA_NODE).stream().map(Host::name).toList(),
            IntStream.range(0, topology.racks()).mapToObj(topology::rackName).toList(),
            ChaosSettings.LANES,
            settings.tolerance(),
            random.split());
    this.pauses = random.split();
  }

  /** The steps of each client before the first round. */
  List<List<Command>> setUp() {
    return clients.stream().map(ClientSteps::setUp).toList();
  }

  /** The next round. */
  Round next() {
    List<Fault> befalls = faults.round();
    int seconds = befalls.stream().mapToInt(Fault::seconds).sum();
    List<List<Round.Step>> work = new ArrayList<>();
    for (int lane = 0; lane < clients.size(); lane++) {
      List<Command> steps = new ArrayList<>();
      FileModel model = models.get(lane);
      while (steps.size() < settings.clientSteps()) {
        Command step = clients.get(lane).next(model);
        if (step instanceof Command.Change change) {
          model.apply(change);
        }
        steps.add(step);
      }
      work.add(Round.spread(steps, seconds, pauses));
    }
    List<List<Round.Step>> commands = new ArrayList<>();
    for (BraidSteps steps : braid) {
      commands.add(Round.spread(steps.some(settings.braidSteps()), seconds, pauses));
    }
    return new Round(work, commands, befalls);
  }

  /** The steps of the next rounds in words, a line each. */
  public List<String> describe(int rounds) {
    List<String> lines = new ArrayList<>();
    for (int number = 1; number <= rounds; number++) {
      String prefix = "round " + number + ", ";
      Round round = next();
      for (int lane = 0; lane < ChaosSettings.LANES; lane++) {
        describe(lines, prefix + "client" + lane + ": ", commands(round.clients().get(lane)));
        describe(lines, prefix + "braid" + lane + ": ", commands(round.braid().get(lane)));
      }
      describe(lines, prefix + "fault: ", round.faults());
    }
    return lines;
  }

  private static List<Command> commands(List<Round.Step> steps) {
    return steps.stream().map(Round.Step::command).toList();
  }

  private static void describe(List<String> lines, String prefix, List<?> steps) {
    steps.forEach(step -> lines.add(prefix + step));
  }
}
