package org.braid.cli.demo;

import java.io.IOException;

/** One numbered section of a demo. */
interface DemoStep {
  /** The heading. */
  String title();

  /** Runs the step; logs comparisons that fail. */
  void run(DemoCluster demo) throws IOException;
}
