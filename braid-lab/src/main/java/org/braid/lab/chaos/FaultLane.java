package org.braid.lab.chaos;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.braid.experiment.ExperimentException;
import org.braid.hdfs.testkit.lab.Command;
import org.braid.lab.Lab;
import org.braid.lab.daemon.Daemons;
import org.braid.lab.network.LabTopology;

/** Brings faults about on a lab, and ends them. */
final class FaultLane {
  private static final long CALL_SECONDS = 120;

  private final Lab lab;
  private final Damage damage;
  private final Actor operator;
  private final List<Actor> clients;
  private final List<Actor> commands;
  private final Path excluded;
  private final Path balancerLog;
  private final Lock restart;
  private final ChaosTally tally;
  private final TreeSet<String> cut = new TreeSet<>();
  private final TreeSet<String> full = new TreeSet<>();
  private final TreeSet<String> leaving = new TreeSet<>();

  /**
   * The faults of a lab.
   *
   * @param operator whom the NameNode is asked through
   * @param excluded the file of nodes that are to be decommissioned
   * @param restart held while the NameNode is restarted
   */
  FaultLane(
      Lab lab,
      Damage damage,
      Actor operator,
      List<Actor> clients,
      List<Actor> commands,
      Path excluded,
      Lock restart,
      ChaosTally tally) {
    this.lab = lab;
    this.damage = damage;
    this.operator = operator;
    this.clients = List.copyOf(clients);
    this.commands = List.copyOf(commands);
    this.excluded = excluded;
    this.restart = restart;
    this.balancerLog = lab.logs().resolve("balancer.log");
    this.tally = tally;
  }

  /** Brings a fault about; those that end by themselves have ended on return. */
  void execute(Fault fault) throws ExperimentException, InterruptedException {
    if (fault instanceof Fault.KillNameNode kill) {
      restart.lockInterruptibly();
      try {
        tally.fault(fault);
        restartNameNode(kill);
      } finally {
        tally.ended(fault);
        restart.unlock();
      }
      return;
    }
    tally.fault(fault);
    try {
      bringAbout(fault);
    } finally {
      tally.ended(fault);
    }
  }

  private void bringAbout(Fault fault) throws ExperimentException, InterruptedException {
    if (fault instanceof Fault.Quiet quiet) {
      TimeUnit.SECONDS.sleep(quiet.seconds());
    } else if (fault instanceof Fault.KillNode kill) {
      lab.kill(kill.node());
    } else if (fault instanceof Fault.StartNode start) {
      lab.restart(List.of(start.node()));
    } else if (fault instanceof Fault.PauseNode pause) {
      lab.pause(pause.node());
    } else if (fault instanceof Fault.ResumeNode resume) {
      lab.resume(resume.node());
    } else if (fault instanceof Fault.CutLink link) {
      cut.add(link.node());
      lab.cut(link.node());
    } else if (fault instanceof Fault.JoinLink link) {
      lab.join(link.node());
      cut.remove(link.node());
    } else if (fault instanceof Fault.FillDisk fill) {
      full.add(fill.node());
      lab.disks().fill(fill.node());
    } else if (fault instanceof Fault.RefuseFiles refuse) {
      full.add(refuse.node());
      lab.disks().refuseFiles(refuse.node());
    } else if (fault instanceof Fault.FreeDisk free) {
      lab.disks().free(free.node());
      full.remove(free.node());
    } else if (fault instanceof Fault.Decommission node) {
      leaving.add(node.node());
      exclude();
    } else if (fault instanceof Fault.Recommission node) {
      leaving.remove(node.node());
      exclude();
    } else {
      brief(fault);
    }
  }

  private void brief(Fault fault) throws ExperimentException, InterruptedException {
    if (fault instanceof Fault.FlipByte flip) {
      damage.flip(flip.choice());
    } else if (fault instanceof Fault.DeleteReplica delete) {
      damage.delete(delete.choice());
    } else if (fault instanceof Fault.PauseNameNode pause) {
      pause(LabTopology.NAME_NODE, pause.seconds());
    } else if (fault instanceof Fault.KillCoordinator kill) {
      lab.kill(Daemons.COORDINATOR);
      TimeUnit.SECONDS.sleep(kill.seconds());
      lab.restartCoordinator();
    } else if (fault instanceof Fault.PauseCoordinator pause) {
      pause(Daemons.COORDINATOR, pause.seconds());
    } else if (fault instanceof Fault.KillCommands kill) {
      commands.get(kill.lane()).kill();
    } else if (fault instanceof Fault.KillClient kill) {
      clients.get(kill.lane()).kill();
    } else if (fault instanceof Fault.RunBalancer run) {
      balance(run.seconds());
    } else {
      throw new IllegalStateException("unknown fault " + fault);
    }
  }

  private void restartNameNode(Fault.KillNameNode kill)
      throws ExperimentException, InterruptedException {
    lab.kill(LabTopology.NAME_NODE);
    TimeUnit.SECONDS.sleep(kill.seconds());
    lab.restartNameNode();
  }

  private void pause(String role, int seconds) throws ExperimentException, InterruptedException {
    lab.pause(role);
    try {
      TimeUnit.SECONDS.sleep(seconds);
    } finally {
      lab.resume(role);
    }
  }

  private void exclude() throws ExperimentException, InterruptedException {
    StringBuilder text = new StringBuilder();
    leaving.forEach(
        node -> text.append(lab.topology().host(node).address()).append(System.lineSeparator()));
    try {
      Files.writeString(excluded, text, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw ExperimentException.failed("cannot write to " + excluded, e);
    }
    Reply reply = operator.call(new Command.RefreshNodes(), CALL_SECONDS);
    if (!reply.ok()) {
      throw ExperimentException.failed("the NameNode does not read its list anew: " + reply);
    }
  }

  private void balance(int seconds) throws ExperimentException, InterruptedException {
    List<String> words =
        List.of(
            "org.apache.hadoop.hdfs.server.balancer.Balancer",
            "-conf",
            lab.configuration().toString(),
            "-threshold",
            "1");
    try {
      Process process =
          lab.java(LabTopology.LOADER, "256m", words)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(balancerLog.toFile()))
              .start();
      try {
        boolean ended = process.waitFor(seconds, TimeUnit.SECONDS);
        tally.note("fault", ended ? "Balancer: status " + process.exitValue() : "Balancer stopped");
      } finally {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
      }
    } catch (IOException e) {
      throw ExperimentException.failed("cannot start the Balancer", e);
    }
  }

  /** Ends all faults that last: after a round that did not come to its end. */
  void endAll() throws ExperimentException, InterruptedException {
    for (String name : new ArrayList<>(cut)) {
      execute(new Fault.JoinLink(name));
    }
    for (String node : new ArrayList<>(full)) {
      execute(new Fault.FreeDisk(node));
    }
    lab.mend();
    tally.mended();
    for (String node : new ArrayList<>(leaving)) {
      execute(new Fault.Recommission(node));
    }
  }
}
