package org.braid.lab.work;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.concurrent.CompletableFuture;
import org.braid.experiment.ExperimentException;
import org.braid.hdfs.testkit.lab.Answer;
import org.braid.hdfs.testkit.lab.Command;
import org.braid.hdfs.testkit.lab.LabDriver;
import org.braid.lab.Driver;

/**
 * A client of the lab's cluster on a host.
 *
 * @param host name of its host
 * @param driver a process that runs {@link LabDriver}
 */
record LabClient(String host, Driver driver) {
  /**
   * An answer with times of the client's clock, in seconds since its start.
   *
   * @param begun when it received the command
   * @param ended when the command was done
   */
  record Reply<A extends Answer>(A answer, double begun, double ended) {}

  /** A command in execution. */
  record Pending<A extends Answer>(
      Driver driver, CompletableFuture<ObjectNode> said, Class<A> type) {
    /** Waits for the answer. */
    Reply<A> await() throws ExperimentException, InterruptedException {
      ObjectNode whole = driver.await(said);
      try {
        return new Reply<>(
            LabDriver.JSON.treeToValue(whole.path("answer"), type),
            whole.path("begun").asDouble(),
            whole.path("ended").asDouble());
      } catch (JsonProcessingException e) {
        throw ExperimentException.failed(
            "a driver answers what is not understood: " + e.getOriginalMessage(), e);
      }
    }
  }

  /** Sends a command without waiting for its answer. */
  <A extends Answer> Pending<A> send(Command command, Class<A> type) {
    return new Pending<>(driver, driver.send(LabDriver.JSON.valueToTree(command)), type);
  }

  /** Executes a command and returns its answer. */
  <A extends Answer> A call(Command command, Class<A> type)
      throws ExperimentException, InterruptedException {
    return send(command, type).await().answer();
  }

  /** Executes a command without a result. */
  void call(Command command) throws ExperimentException, InterruptedException {
    call(command, Answer.Done.class);
  }

  /** The client's clock, in seconds since its start. */
  double now() throws ExperimentException, InterruptedException {
    return send(new Command.Delete("/nothing"), Answer.Done.class).await().ended();
  }
}
