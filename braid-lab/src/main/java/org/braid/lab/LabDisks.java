package org.braid.lab;

import java.nio.file.Path;
import org.braid.experiment.ExperimentException;
import org.braid.lab.namespace.OwnDisks;

/** The disks of a lab's DataNodes; each has its own where the lab's settings say so. */
public final class LabDisks {
  private final Lab lab;
  private final OwnDisks disks;

  LabDisks(Lab lab, OwnDisks disks) {
    this.lab = lab;
    this.disks = disks;
  }

  /** The directory of a DataNode's files, as this process sees it. */
  public Path files(String dataNode) {
    return lab.space().seen(disk(dataNode));
  }

  private Path disk(String dataNode) {
    return lab.directory().data(lab.topology().host(dataNode));
  }

  /** Leaves a DataNode's own disk no room, which the disk says. */
  public void fill(String dataNode) throws ExperimentException, InterruptedException {
    disks.fill(disk(dataNode));
  }

  /** Lets a DataNode's own disk take no new files, while it says that there is room. */
  public void refuseFiles(String dataNode) throws ExperimentException, InterruptedException {
    disks.refuseFiles(disk(dataNode));
  }

  /** Gives a DataNode's own disk room again. */
  public void free(String dataNode) throws ExperimentException, InterruptedException {
    disks.free(disk(dataNode), lab.settings().room());
  }
}
