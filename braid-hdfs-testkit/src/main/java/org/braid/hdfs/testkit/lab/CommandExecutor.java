package org.braid.hdfs.testkit.lab;

import java.io.Closeable;
import java.io.IOException;
import org.braid.hdfs.api.Connection;

/** Executes commands. Thread-safe. */
final class CommandExecutor implements Closeable {
  private final long start = System.nanoTime();
  private final ClusterClients clients;
  private final FileCommands files;
  private final BlockCommands places;
  private final BraidCommands braid;
  private final BackgroundLoads loads;
  private final FileChanges changes;
  private final ContentChecks checks;
  private final JobCommands jobs;

  CommandExecutor(Connection connection) throws IOException {
    clients = new ClusterClients(connection);
    files = new FileCommands(clients);
    places = new BlockCommands(clients, files);
    braid = new BraidCommands(clients);
    loads = new BackgroundLoads(clients, files, start);
    changes = new FileChanges(clients, files);
    checks = new ContentChecks(clients);
    jobs = new JobCommands(clients);
  }

  /** Seconds since the start. */
  double now() {
    return FileCommands.since(start);
  }

  Answer execute(Command command) throws IOException, InterruptedException {
    if (command instanceof Command.Write write) {
      return files.write(write);
    } else if (command instanceof Command.WriteText write) {
      return files.write(write);
    } else if (command instanceof Command.RunJob job) {
      return jobs.run(job);
    } else if (command instanceof Command.Read read) {
      return files.read(read);
    } else if (command instanceof Command.Copy copy) {
      return files.copy(copy);
    } else if (command instanceof Command.Convert convert) {
      return braid.convert(convert);
    } else if (command instanceof Command.ForeseeConversion foresee) {
      return braid.foresee(foresee);
    } else if (command instanceof Command.Restore restore) {
      return braid.restore(restore);
    } else if (command instanceof Command.ForeseeRepair foresee) {
      return braid.foresee(foresee);
    } else if (command instanceof Command.Repair repair) {
      return braid.repair(repair);
    } else if (command instanceof Command.Fsck fsck) {
      return braid.fsck(fsck);
    } else if (command instanceof Command.Blocks blocks) {
      return places.blocks(blocks);
    } else if (command instanceof Command.MoveBlock move) {
      return places.moveBlock(move);
    } else if (command instanceof Command.Usage usage) {
      return files.usage(usage);
    } else if (command instanceof Command.CountConverted count) {
      return files.count(count);
    } else if (command instanceof Command.AwaitNodes await) {
      return places.awaitNodes(await);
    } else if (command instanceof Command.AwaitWhole await) {
      return places.awaitWhole(await);
    } else if (command instanceof Command.StopLoad stop) {
      return loads.stop(stop.name());
    } else if (command instanceof Command.Compare compare) {
      return checks.compare(compare);
    } else if (command instanceof Command.Checksum checksum) {
      return checks.checksum(checksum);
    } else if (command instanceof Command.Audit audit) {
      return Audit.of(audit.path(), clients);
    }
    return brief(command);
  }

  /** Commands without a result. */
  private Answer.Done brief(Command command) throws IOException, InterruptedException {
    double begun = now();
    if (command instanceof Command.MakeDirectory make) {
      files.makeDirectory(make);
    } else if (command instanceof Command.Delete delete) {
      files.delete(delete);
    } else if (command instanceof Command.StartLoad load) {
      loads.start(load);
    } else if (command instanceof Command.Throttle throttle) {
      braid.throttle(throttle);
    } else if (command instanceof Command.Change change) {
      changes.change(change);
    } else if (command instanceof Command.ReportBad report) {
      places.reportBad(report);
    } else if (command instanceof Command.DeleteCorrupt delete) {
      files.deleteCorrupt(delete);
    } else if (command instanceof Command.RefreshNodes) {
      clients.files().refreshNodes();
    } else {
      throw new IllegalStateException("unknown command " + command);
    }
    return new Answer.Done(now() - begun);
  }

  @Override
  public void close() throws IOException {
    loads.close();
    checks.close();
    clients.close();
  }
}
