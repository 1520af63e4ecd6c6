package org.braid.hadooptests;

import java.io.IOException;

/** Runs classes of tests. */
@FunctionalInterface
interface Forks {
  /**
   * Runs a class.
   *
   * @param run names the files of this run
   */
  ClassRun run(String name, TestedHdfs side, String run) throws IOException, InterruptedException;
}
