package org.braid.hdfs.engine;

import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.braid.engine.BusyException;
import org.braid.engine.FragmentResult;
import org.braid.hdfs.dispatch.Ids;
import org.braid.hdfs.dispatch.Worker;
import org.braid.hdfs.dispatch.WorkerException;
import org.braid.hdfs.dispatch.Workers;
import org.braid.hdfs.proto.BraidProtos.ExecuteResponseProto;
import org.braid.hdfs.stripe.Datanode;
import org.braid.plan.Fragment;
import org.jspecify.annotations.Nullable;

/** One run of a plan on HDFS. One thread runs it; other threads may watch and cancel it. */
public final class HdfsRun {
  /** Time without an answer after which the remaining workers are pinged. */
  private static final long PATIENCE_MILLIS = 3000;

  /** Time to wait, after a broken stream, for another node to report the cause. */
  private static final long CAUSE_MILLIS = 1000;

  /** Time to wait for the workers of a failed run to abort. */
  private static final long CANCEL_MILLIS = 2000;

  /** Time to wait for memory that other runs in this process release. */
  private static final long ROOM_MILLIS = 10_000;

  /** Time to wait, after the end of a local fragment, for the answers of workers. */
  private static final long SETTLE_MILLIS = 3000;

  private final Workers workers;
  private final HdfsJob job;
  private final RunPace pace;
  private final String name = Ids.random();
  private final BlockingQueue<FragmentEnd> ended = new LinkedBlockingQueue<>();

  /** The answers of the fragments that ended well, by node. */
  private final Map<Integer, ExecuteResponseProto> answers = new ConcurrentHashMap<>();

  private final Map<Integer, String> culprits = new LinkedHashMap<>();
  private final Set<Integer> busy = new HashSet<>();
  private final @Nullable LocalPorts local;
  private @Nullable IOException first;
  private volatile @Nullable FragmentDispatch dispatch;
  private Map<Integer, FragmentResult> done = Map.of();
  private boolean cancelled;
  private volatile boolean brokenOff;

  HdfsRun(Workers workers, HdfsJob job, RunPace pace) {
    this.workers = workers;
    this.job = job;
    this.pace = pace;
    local = job.local().map(node -> new LocalPorts(job, node, this)).orElse(null);
  }

  /**
   * Runs the plan to its end. With a local node the run ends when that node's fragment has ended;
   * workers may still have to answer.
   *
   * @throws PlanFailedException when a fragment failed or a worker fell silent; the other fragments
   *     are aborted
   */
  public HdfsResult run() throws IOException {
    List<Fragment> remote =
        job.plan().fragments().stream().filter(f -> !job.isLocal(f.node())).toList();
    requireAnswers(remote);
    if (local != null) {
      // Before workers have any part in it: they would wait, and count as slow, meanwhile.
      local.loadKernel();
      local.awaitRoom(ROOM_MILLIS);
    }
    synchronized (this) {
      if (first != null) {
        throw new PlanFailedException(String.valueOf(first.getMessage()), first);
      }
    }
    FragmentDispatch sent =
        FragmentDispatch.start(workers, remote, job, name, pace, this::workerEnded);
    dispatch = sent;
    if (brokenOff) {
      breakOff(); // before there was anything to end
    }
    LocalPorts here = local;
    if (here == null) {
      awaitWorkers(sent, remote);
      return result();
    }
    try {
      done = Map.of(job.local().orElseThrow().node(), here.run(sent.run()));
    } catch (IOException e) {
      throw localFailed(e);
    } catch (RuntimeException | Error e) {
      // Such as too little memory. Workers would wait for this process until their time is up.
      end(new IOException("this process failed: " + e, e));
      breakOff();
      throw e;
    }
    return result();
  }

  private HdfsResult result() {
    return HdfsResult.of(job.layout(), Map.copyOf(answers), done);
  }

  private void requireAnswers(List<Fragment> fragments) throws PlanFailedException {
    for (Fragment fragment : fragments) {
      if (job.nodes().worker(fragment.node()).isEmpty()) {
        throw new PlanFailedException(
            "node " + job.nodes().name(fragment.node()) + " does not answer",
            null,
            Map.of(),
            Set.of(fragment.node()),
            Set.of());
      }
    }
  }

  private void workerEnded(
      int node, @Nullable ExecuteResponseProto response, @Nullable WorkerException failure) {
    if (response != null) {
      answers.put(node, response);
      job.local()
          .ifPresent(
              here ->
                  response
                      .getSentList()
                      .forEach(some -> here.sent().sent(node, some.getNode(), some.getBytes())));
    }
    if (failure != null && local != null) {
      blame(node, failure);
    }
    ended.add(new FragmentEnd(node, failure));
  }

  /** Waits until all workers have ended their fragments; those that fall silent fail the run. */
  private void awaitWorkers(FragmentDispatch sent, List<Fragment> fragments) throws IOException {
    Set<Integer> open = new TreeSet<>();
    fragments.forEach(fragment -> open.add(fragment.node()));
    while (!open.isEmpty()) {
      FragmentEnd next = take(sent, open);
      open.remove(next.node());
      if (next.failed()) {
        throw failed(sent, next, open);
      }
    }
  }

  /** Finds the cause of a first failure and aborts the other fragments. */
  private PlanFailedException failed(FragmentDispatch sent, FragmentEnd first, Set<Integer> open)
      throws IOException {
    FragmentEnd cause;
    try {
      cause = FragmentEnd.cause(first, ended, open, CAUSE_MILLIS);
    } catch (InterruptedException e) {
      throw interrupted(sent, e);
    }
    sent.cancel(CANCEL_MILLIS);
    int node = cause.node();
    WorkerException failure = Objects.requireNonNull(cause.failure());
    String message = job.nodes().name(node) + ": " + failure.getMessage();
    boolean isBusy = failure.kind() == WorkerException.Kind.BUSY;
    boolean blamed = cause.blamesNode();
    Set<Integer> suspects = new TreeSet<>(blamed ? Set.of(node) : Set.of()); // others are alive
    if (cause.mayFollow()) {
      suspects.addAll(open);
    }
    Set<Integer> silent = silentOf(suspects);
    return new PlanFailedException(
        message,
        failure,
        !blamed || (cause.mayFollow() && !silent.isEmpty()) ? Map.of() : Map.of(node, message),
        silent,
        isBusy ? Set.of(node) : Set.of());
  }

  private FragmentEnd take(FragmentDispatch sent, Set<Integer> open) throws IOException {
    try {
      while (true) {
        FragmentEnd next = ended.poll(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        if (next != null) {
          return next;
        }
        Set<Integer> silent = silentOf(open);
        if (!silent.isEmpty()) {
          sent.cancel(CANCEL_MILLIS);
          List<String> names = silent.stream().map(job.nodes()::name).toList();
          throw new PlanFailedException(
              "no sign of life from " + names, null, Map.of(), silent, Set.of());
        }
      }
    } catch (InterruptedException e) {
      throw interrupted(sent, e);
    }
  }

  private static IOException interrupted(FragmentDispatch sent, InterruptedException e) {
    var unused = sent.cancel();
    Thread.currentThread().interrupt();
    return new IOException("interrupted while a plan ran", e);
  }

  private Set<Integer> silentOf(Set<Integer> nodes) throws IOException {
    List<Datanode> asked = nodes.stream().map(node -> job.worker(node).node()).toList();
    Set<String> alive = workers.ping(asked).reached().keySet();
    Set<Integer> silent = new TreeSet<>();
    for (int node : nodes) {
      if (!alive.contains(job.worker(node).node().uuid())) {
        silent.add(node);
      }
    }
    return silent;
  }

  /**
   * Notes a worker's failure and the node at fault; later failures are consequences of the first.
   */
  private synchronized void blame(int node, WorkerException e) {
    switch (e.kind()) {
      case UNREACHABLE -> culprits.put(node, "connection failed: " + e.getMessage());
      case BUSY -> {
        // Its streams may have failed before it could say why.
        busy.add(node);
        culprits.remove(node);
      }
      case FAILED, STREAM -> {
        if (first == null && blamesSender()) {
          culprits.put(node, e.getMessage());
        }
      }
      case QUOTA -> {
        // Any other node would exceed it, too.
      }
    }
    end(new IOException("worker " + job.nodes().name(node) + ": " + e.getMessage(), e));
  }

  /** Notes the failure of a stream from a worker to this process. */
  synchronized void streamFailed(int from, String reason, IOException e) {
    if (first == null && blamesSender()) {
      culprits.put(from, reason);
    }
    end(e);
  }

  /**
   * Whether the node whose stream or fragment fails first is at fault: in a star no sender depends
   * on others.
   */
  boolean blamesSender() {
    return job.plan().shape().equals("star");
  }

  private synchronized void end(IOException failure) {
    if (first == null) {
      first = failure;
      if (local != null) {
        local.close(failure);
      }
    }
  }

  /** The run's secret name, by which callers change its pace at the workers. */
  public String name() {
    return name;
  }

  /** The DataNodes that run parts of the plan. */
  public List<Datanode> nodes() {
    return job.plan().nodes().stream()
        .filter(node -> !job.isLocal(node))
        .flatMap(node -> job.nodes().worker(node).stream())
        .map(Worker::node)
        .toList();
  }

  /** Aborts the fragments of all workers; {@link #run} then fails. */
  public void breakOff() {
    brokenOff = true;
    FragmentDispatch sent = dispatch;
    if (sent != null) {
      var unused = sent.cancel();
    }
  }

  /**
   * Waits until no worker runs a fragment of the plan any more.
   *
   * @return false when some still are
   */
  public boolean awaitEnds(long millis) {
    FragmentDispatch sent = dispatch;
    if (sent == null) {
      return true;
    }
    sent.settle(millis);
    return sent.hasEnded();
  }

  /** The failure of the run; null when there is none yet. */
  synchronized @Nullable IOException failure() {
    return first;
  }

  /** Cancels the run because another one was faster. */
  public void cancel() {
    synchronized (this) {
      cancelled = true;
    }
    end(new IOException("another plan was faster"));
  }

  /** Aborts the other fragments and waits a moment for the workers' own reasons. */
  private PlanFailedException localFailed(IOException here) {
    end(here);
    FragmentDispatch sent = Objects.requireNonNull(dispatch);
    var unused = sent.cancel();
    sent.settle(SETTLE_MILLIS);
    synchronized (this) {
      if (here instanceof BusyException) {
        // Other runs in this process took the memory meanwhile; the workers had no part in it.
        return new PlanFailedException(
            String.valueOf(here.getMessage()),
            here,
            Map.of(),
            Set.of(),
            Set.of(job.local().orElseThrow().node()));
      }
      if (!cancelled) {
        // Workers that may have died are asked again before they are chosen again.
        sent.all().forEach(node -> workers.doubt(node));
      }
      IOException cause = first == null ? here : first;
      return new PlanFailedException(
          String.valueOf(cause.getMessage()), cause, culprits, Set.of(), busy);
    }
  }

  /** The result with answers of workers after the end of the run, for which it waits a moment. */
  public HdfsResult settled() {
    Objects.requireNonNull(dispatch, "the run has not begun").settle(SETTLE_MILLIS);
    return result();
  }

  /**
   * How much longer to wait for a slice, until the next question, before a worker counts as a
   * straggler. The limit is the configured time. Once slices flow, it is ten times the time of the
   * slowest slice so far, but at least a fifth and at most all of the configured time. Time in
   * which this process had no processor does not count.
   *
   * @param configured nanoseconds
   * @return nanoseconds; 0 when the time is up
   */
  public long patience(long configured) {
    return local().patience().left(configured);
  }

  /** Restarts the wait of {@link #patience}, when nothing can be done for the moment. */
  public void beginAnew() {
    local().patience().begin();
  }

  /** The worker that delays the run; empty when no worker does. */
  public OptionalInt straggler(long millis) throws IOException {
    OptionalInt next = local().waitsFor();
    FragmentDispatch sent = dispatch;
    if (next.isEmpty() || sent == null || blamesSender()) {
      return next;
    }
    return OptionalInt.of(sent.straggler(next.getAsInt(), millis));
  }

  private LocalPorts local() {
    return Objects.requireNonNull(local, "no node of the plan is this process");
  }
}
