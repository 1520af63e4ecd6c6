package org.braid.hdfs.testkit.lab;

import java.io.IOException;
import org.braid.hdfs.testkit.job.JobRunner;

/** Runs jobs on the YARN of the cluster. Thread-safe. */
final class JobCommands {
  private final ClusterClients clients;

  JobCommands(ClusterClients clients) {
    this.clients = clients;
  }

  Answer.RanJob run(Command.RunJob command) throws IOException, InterruptedException {
    try {
      return new Answer.RanJob(
          new JobRunner(clients.configuration(command.client(), command.properties()))
              .run(command.job()));
    } catch (NoClassDefFoundError e) {
      throw new IOException(
          "no jar of MapReduce is here (" + e.getMessage() + "): start the lab with YARN", e);
    }
  }
}
