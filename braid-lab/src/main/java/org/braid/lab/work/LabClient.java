package org.braid.lab.work;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.concurrent.CompletableFuture;
import org.braid.experiment.ExperimentException;
import org.braid.hdfs.lab.Answer;
import org.braid.hdfs.lab.Command;
import org.braid.hdfs.lab.LabDriver;
import org.braid.lab.Driver;

/**
 * A client of the lab's cluster, on one of its hosts.
 *
 * @param host where it is
 * @param driver a process that runs {@link LabDriver}
 */
record LabClient(String host, Driver driver) {
  /**
   * An answer with the client's own times, in seconds since it started.
   *
   * @param begun when it took the order
   * @param ended when it was done
   */
  record Reply<A extends Answer>(A answer, double begun, double ended) {}

  /** An order under way. */
  record Pending<A extends Answer>(
      Driver driver, CompletableFuture<ObjectNode> said, Class<A> type) {
    /** Waits until it is done. */
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

  /** Gives an order without waiting for its answer. */
  <A extends Answer> Pending<A> begin(Command order, Class<A> type) {
    return new Pending<>(driver, driver.send(LabDriver.JSON.valueToTree(order)), type);
  }

  /** Gives an order and waits for its answer. */
  <A extends Answer> A tell(Command order, Class<A> type)
      throws ExperimentException, InterruptedException {
    return begin(order, type).await().answer();
  }

  /** Gives an order that has nothing to answer but that it is done. */
  void tell(Command order) throws ExperimentException, InterruptedException {
    tell(order, Answer.Done.class);
  }

  /** The client's own clock, in seconds since it started. */
  double now() throws ExperimentException, InterruptedException {
    return begin(new Command.Delete("/nothing"), Answer.Done.class).await().ended();
  }
}
