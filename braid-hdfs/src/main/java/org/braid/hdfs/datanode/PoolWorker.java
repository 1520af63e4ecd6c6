package org.braid.hdfs.datanode;

import java.io.IOException;
import org.braid.hdfs.datanode.peers.PeerLookup;

/**
 * What serves one block pool of a DataNode.
 *
 * @param service answers calls
 * @param runs the fragments that run
 * @param peers other DataNodes of the pool
 * @param files the client that writes parity
 */
record PoolWorker(WorkerService service, WorkerRuns runs, PeerLookup peers, StagingFiles files) {
  /** Ends what runs, and takes nothing new. */
  void stop() {
    runs.close();
  }

  void close() throws IOException {
    files.close();
    peers.close();
  }
}
