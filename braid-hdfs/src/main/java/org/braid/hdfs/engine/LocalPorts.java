package org.braid.hdfs.engine;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.braid.code.SubBlock;
import org.braid.engine.BusyException;
import org.braid.engine.FragmentResult;
import org.braid.engine.Ports;
import org.braid.engine.SliceSink;
import org.braid.engine.SliceSource;
import org.braid.engine.WatchedSource;
import org.braid.hdfs.rpc.Rpc;
import org.braid.plan.Fragment;
import org.jspecify.annotations.Nullable;

/**
 * The ports of the fragment in this process: reads the streams of workers, writes stored
 * sub-blocks.
 */
final class LocalPorts implements Ports {
  /** Interval of checks, while waiting for memory, whether the run was cancelled. */
  private static final long ROOM_STEP_MILLIS = 100;

  private final HdfsJob job;
  private final LocalNode node;
  private final HdfsRun run;
  private final List<SliceSource> sources = new ArrayList<>();
  private final SlicePatience patience = new SlicePatience(System::nanoTime);
  private OptionalInt waitsFor = OptionalInt.empty();
  private @Nullable String name;

  LocalPorts(HdfsJob job, LocalNode node, HdfsRun run) {
    this.job = job;
    this.node = node;
    this.run = run;
  }

  /**
   * Runs the fragment.
   *
   * @param secret the run's secret name
   */
  FragmentResult run(String secret) throws IOException {
    patience.begin();
    synchronized (this) {
      name = secret;
    }
    return node.runner().run(job.plan().fragment(node.node()), job.length(), this);
  }

  /** Loads the kernel if the fragment computes. */
  void loadKernel() {
    node.runner().loadKernel(job.plan().fragment(node.node()));
  }

  /**
   * Waits until this process has memory for the fragment, or the run has failed.
   *
   * @throws PlanFailedException that blames no node, when there is no memory in that time
   */
  void awaitRoom(long millis) throws IOException {
    Fragment fragment = job.plan().fragment(node.node());
    for (long left = millis; run.failure() == null; left -= ROOM_STEP_MILLIS) {
      try {
        node.runner().awaitRoom(fragment, job.length(), Math.min(left, ROOM_STEP_MILLIS));
        return;
      } catch (BusyException e) {
        if (left <= ROOM_STEP_MILLIS || e.needed() > e.limit()) {
          throw new PlanFailedException(String.valueOf(e.getMessage()), e);
        }
      }
    }
  }

  /** Closes all streams, as the run has failed. */
  synchronized void close(IOException failure) {
    for (SliceSource source : sources) {
      try {
        source.close();
      } catch (IOException e) {
        failure.addSuppressed(e);
      }
    }
  }

  /** How long the run waits for its next slice. */
  SlicePatience patience() {
    return patience;
  }

  /** The node whose slice the fragment waits for. */
  synchronized OptionalInt waitsFor() {
    return waitsFor;
  }

  private synchronized void waitsFor(int from) {
    waitsFor = OptionalInt.of(from);
  }

  private synchronized void progress() {
    patience.arrived();
    waitsFor = OptionalInt.empty();
  }

  @Override
  public SliceSource read(SubBlock source) {
    throw new IllegalStateException("this process stores no block, it cannot read " + source);
  }

  @Override
  public SliceSink send(int stream, int to) {
    throw new IllegalStateException("the plan ends in this process, it cannot send to " + to);
  }

  @Override
  public SliceSource receive(int stream, int from) throws IOException {
    SliceSource source;
    waitsFor(from);
    try {
      // Any block token of the cluster opens a connection; what matters is the run's secret name.
      source =
          node.streams()
              .open(
                  job.worker(from),
                  String.valueOf(name),
                  stream,
                  job.length(),
                  node.tokens().of(from));
    } catch (IOException e) {
      run.streamFailed(from, Rpc.reason(e), e);
      throw e;
    }
    synchronized (this) {
      sources.add(source);
    }
    IOException failed = run.failure();
    if (failed != null) {
      source.close();
      throw new IOException("the run has failed: " + failed.getMessage(), failed);
    }
    return new WatchedSource(
        source,
        new WatchedSource.Watcher() {
          @Override
          public void waiting() {
            waitsFor(from);
          }

          @Override
          public void arrived() {
            progress();
          }

          @Override
          public void failed(IOException cause) {
            run.streamFailed(from, Rpc.reason(cause), cause);
          }
        });
  }

  @Override
  public SliceSink store(SubBlock target) {
    return node.sinks().apply(target);
  }
}
