package org.braid.hdfs.lab;

import java.io.Closeable;
import java.io.IOException;
import org.braid.hdfs.api.Connection;

/** Carries out orders, several at once if need be. Thread-safe. */
final class Orders implements Closeable {
  private final long start = System.nanoTime();
  private final Access access;
  private final FileOrders files;
  private final PlaceOrders places;
  private final BraidOrders braid;
  private final Loads loads;

  Orders(Connection connection) throws IOException {
    access = new Access(connection);
    files = new FileOrders(access);
    places = new PlaceOrders(access, files);
    braid = new BraidOrders(access);
    loads = new Loads(access, files, start);
  }

  /** Seconds since the start. */
  double now() {
    return FileOrders.since(start);
  }

  Answer carryOut(Command order) throws IOException, InterruptedException {
    if (order instanceof Command.Write write) {
      return files.write(write);
    } else if (order instanceof Command.Read read) {
      return files.read(read);
    } else if (order instanceof Command.Copy copy) {
      return files.copy(copy);
    } else if (order instanceof Command.Convert convert) {
      return braid.convert(convert);
    } else if (order instanceof Command.Restore restore) {
      return braid.restore(restore);
    } else if (order instanceof Command.Repair repair) {
      return braid.repair(repair);
    } else if (order instanceof Command.Blocks blocks) {
      return places.blocks(blocks);
    } else if (order instanceof Command.MoveBlock move) {
      return places.moveBlock(move);
    } else if (order instanceof Command.Usage usage) {
      return files.usage(usage);
    } else if (order instanceof Command.AwaitNodes await) {
      return places.awaitNodes(await);
    } else if (order instanceof Command.AwaitWhole await) {
      return places.awaitWhole(await);
    } else if (order instanceof Command.StopLoad stop) {
      return loads.stop(stop.name());
    }
    return brief(order);
  }

  /** Orders with nothing to tell but that they are done. */
  private Answer.Done brief(Command order) throws IOException {
    double begun = now();
    if (order instanceof Command.MakeDirectory make) {
      files.makeDirectory(make);
    } else if (order instanceof Command.Delete delete) {
      files.delete(delete);
    } else if (order instanceof Command.StartLoad load) {
      loads.start(load);
    } else {
      throw new IllegalStateException("unknown order " + order);
    }
    return new Answer.Done(now() - begun);
  }

  @Override
  public void close() throws IOException {
    loads.close();
    access.close();
  }
}
