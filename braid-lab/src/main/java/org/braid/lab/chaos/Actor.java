package org.braid.lab.chaos;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.braid.experiment.ExperimentException;
import org.braid.hdfs.testkit.lab.Command;
import org.braid.hdfs.testkit.lab.LabDriver;
import org.braid.lab.Driver;
import org.braid.lab.Lab;

/** A process that executes commands; a new one takes the place of one that was killed. */
final class Actor {
  private final Lab lab;
  private final String host;
  private Driver driver;

  Actor(Lab lab, String host) throws ExperimentException {
    this.lab = lab;
    this.host = host;
    this.driver = start();
  }

  private Driver start() throws ExperimentException {
    return lab.driver(
        host,
        LabDriver.class.getName(),
        List.of("-conf", lab.configuration().toString(), "-fs", lab.uri()));
  }

  /** Kills the process with its running commands, and starts another one. */
  synchronized void kill() throws ExperimentException {
    driver.kill();
    driver = start();
  }

  private synchronized CompletableFuture<ObjectNode> send(Command command) {
    return driver.send(LabDriver.JSON.valueToTree(command));
  }

  /** Executes a command and waits for its end, but not longer than some seconds. */
  Reply call(Command command, long seconds) throws InterruptedException {
    try {
      return Reply.of(send(command).get(seconds, TimeUnit.SECONDS));
    } catch (TimeoutException e) {
      return new Reply(null, "no answer within " + seconds + " s", Reply.End.LATE);
    } catch (ExecutionException e) {
      return new Reply(null, String.valueOf(e.getCause()), Reply.End.KILLED);
    }
  }
}
