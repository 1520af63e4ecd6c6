package org.braid.lab.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Stream;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.RunProgress;
import org.braid.hdfs.testkit.lab.Command;
import org.braid.lab.Lab;
import org.braid.lab.LabSettings;
import org.braid.lab.daemon.Plugins;
import org.braid.lab.network.LabTopology;
import org.braid.lab.network.LinkLimits;

/** Carries out a plan of chaos on a lab of its own, round after round with a calm between. */
public final class ChaosRun {
  private static final long MEBI = 1 << 20;
  private static final long ROOM = 3072 * MEBI;

  private final ChaosSettings settings;
  private final ChaosPlan plan;
  private final ChaosTally tally;
  private final RunProgress progress;
  private final List<ClientLane> clients = new ArrayList<>();
  private final List<CommandLane> commands = new ArrayList<>();
  private final FaultLane faults;
  private final Calm calm;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private long begun;
  private int rounds;

  private ChaosRun(
      ChaosSettings settings, Lab lab, Path excluded, ChaosTally tally, RunProgress progress)
      throws ExperimentException {
    this.settings = settings;
    this.plan = new ChaosPlan(settings);
    this.tally = tally;
    this.progress = progress;
    // Restarts of the NameNode take turns with what must not meet them.
    ReadWriteLock restarts = new ReentrantReadWriteLock(true);
    List<Actor> users = new ArrayList<>();
    List<Actor> operators = new ArrayList<>();
    for (int lane = 0; lane < ChaosSettings.LANES; lane++) {
      users.add(new Actor(lab, lab.clients().get(lane)));
      clients.add(new ClientLane("client" + lane, users.get(lane), restarts.readLock(), tally));
      operators.add(new Actor(lab, LabTopology.LOADER));
      commands.add(new CommandLane("braid" + lane, operators.get(lane), tally));
    }
    Actor operator = new Actor(lab, LabTopology.LOADER);
    Damage damage = new Damage(lab, operator, tally);
    faults =
        new FaultLane(
            lab, damage, operator, users, operators, excluded, restarts.writeLock(), tally);
    calm = new Calm(lab.dataNodes().size(), operator, damage, tally);
  }

  /**
   * Runs until the time is over or something is not as promised.
   *
   * @param directory where the journal is written, and the logs of the lab when something is not as
   *     promised
   * @throws ExperimentException when the lab cannot be started or used
   */
  public static ChaosReport run(ChaosSettings settings, Path directory, RunProgress progress)
      throws ExperimentException, InterruptedException {
    Path excluded = directory.resolve("excluded");
    try {
      Files.writeString(excluded, "");
    } catch (IOException e) {
      throw ExperimentException.failed("cannot write to " + directory, e);
    }
    try (ChaosTally tally = new ChaosTally(directory.resolve("journal.log"));
        Lab lab = Lab.start(lab(settings, excluded), progress)) {
      boolean ended = false;
      try {
        ChaosRun run = new ChaosRun(settings, lab, excluded, tally, progress);
        ChaosReport report = run.play();
        ended = report.violations().isEmpty();
        return report;
      } finally {
        if (!ended) {
          copy(lab.logs(), directory);
        }
      }
    }
  }

  private static LabSettings lab(ChaosSettings settings, Path excluded) {
    return LabSettings.of(settings.topology(), LinkLimits.NONE)
        .with(Plugins.BRAID_WATCHED)
        .withBlockSize(settings.blockSize())
        .withRoom(ROOM)
        .withOwnDisks()
        .withProperty("dfs.hosts.exclude", excluded.toAbsolutePath().toString())
        .withProperty("dfs.namenode.decommission.interval", "2s")
        // A NameNode that starts is waited for, and one of its nodes that hangs is not for long.
        .withProperty("dfs.client.retry.policy.enabled", "true")
        .withProperty("dfs.client.retry.policy.spec", "1000,200")
        .withProperty("dfs.client.socket-timeout", "10000")
        .withProperty("dfs.datanode.socket.write.timeout", "20000")
        // Deleted files of replicas are missed.
        .withProperty("dfs.datanode.directoryscan.interval", "20s");
  }

  private static void copy(Path logs, Path directory) throws ExperimentException {
    try (Stream<Path> files = Files.list(logs)) {
      for (Path file : files.toList()) {
        Files.copy(file, directory.resolve(String.valueOf(file.getFileName())));
      }
    } catch (IOException e) {
      throw ExperimentException.failed("cannot copy " + logs + " to " + directory, e);
    }
  }

  private ChaosReport play() throws ExperimentException, InterruptedException {
    begun = System.nanoTime();
    try {
      List<List<Command>> setUp = plan.setUp();
      for (int lane = 0; lane < clients.size(); lane++) {
        for (Command command : setUp.get(lane)) {
          clients.get(lane).execute(command);
        }
      }
      while (!isOver()) {
        Round round = plan.next();
        tally.note("round", ++rounds + (round.faults().isEmpty() ? ", without faults" : ""));
        play(round);
        if (!tally.violated()) {
          faults.endAll();
          calm.check(clients);
        }
      }
      return tally.report(settings, rounds, System.nanoTime() - begun);
    } finally {
      threads.shutdownNow();
    }
  }

  private boolean isOver() {
    long total = settings.time().toSeconds();
    long passed = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun);
    progress.at("chaos", Math.min(passed, total), total);
    return tally.violated() || passed >= total;
  }

  private void play(Round round) throws ExperimentException, InterruptedException {
    List<Callable<Boolean>> lanes = new ArrayList<>();
    for (int lane = 0; lane < clients.size(); lane++) {
      ClientLane client = clients.get(lane);
      List<Round.Step> steps = round.clients().get(lane);
      lanes.add(() -> all(steps, step -> client.execute(after(step))));
      CommandLane operator = commands.get(lane);
      List<Round.Step> given = round.braid().get(lane);
      boolean nothingFails = round.faults().isEmpty();
      lanes.add(() -> all(given, step -> operator.execute(after(step), nothingFails)));
    }
    lanes.add(() -> all(round.faults(), faults::execute));
    List<Future<Boolean>> running = new ArrayList<>();
    lanes.forEach(lane -> running.add(threads.submit(lane)));
    for (Future<Boolean> lane : running) {
      try {
        lane.get();
      } catch (ExecutionException e) {
        if (e.getCause() instanceof ExperimentException failure) {
          tally.violation(String.valueOf(failure.getMessage()));
        } else {
          throw new IllegalStateException(e.getCause());
        }
      }
    }
  }

  private static Command after(Round.Step step) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(step.afterMillis());
    return step.command();
  }

  /** Carries out a step of a lane. */
  private interface Step<T> {
    void execute(T step) throws ExperimentException, InterruptedException;
  }

  /** Carries out steps in order, until the time is over. */
  private <T> boolean all(List<T> steps, Step<T> how)
      throws ExperimentException, InterruptedException {
    for (T step : steps) {
      if (isOver()) {
        return false;
      }
      how.execute(step);
    }
    return true;
  }
}
