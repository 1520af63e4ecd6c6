package org.braid.hdfs.coordinator.convert;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.braid.code.ErasureCode;
import org.braid.code.UnknownCodeException;
import org.braid.hdfs.api.ConvertPreview;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.api.ConvertReport.FileResult;
import org.braid.hdfs.api.ConvertReport.Skipped;
import org.braid.hdfs.api.ConvertRequest;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.api.SpilledList;
import org.braid.hdfs.coordinator.convert.Grouper.Group;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.hdfs.coordinator.session.FileBatches;
import org.braid.hdfs.coordinator.session.KeptCopies;
import org.braid.hdfs.coordinator.session.PagePrefetch;
import org.braid.hdfs.coordinator.session.Parallel;
import org.braid.hdfs.coordinator.session.ParitySweep;
import org.braid.hdfs.coordinator.session.Session;
import org.braid.hdfs.coordinator.session.Stopwatch;
import org.braid.hdfs.coordinator.session.StripeMap;
import org.braid.hdfs.coordinator.session.TrafficMeter;
import org.braid.hdfs.coordinator.session.Waiting;
import org.braid.hdfs.coordinator.throttle.Background;
import org.braid.hdfs.coordinator.throttle.GaveWayException;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.fault.Faults;
import org.braid.hdfs.metrics.Cause;
import org.braid.hdfs.policy.HiddenDirectories;
import org.braid.hdfs.proto.BraidProtos.PersistResponseProto;
import org.braid.hdfs.stripe.MemberStatus;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.hdfs.stripe.Stripe;
import org.braid.hdfs.stripe.StripeCode;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.placement.PlacementException;
import org.braid.placement.rule.StripeRule;
import org.braid.plan.throttle.Throttle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns replicated files into erasure-coded ones in place. Work that an earlier run left behind is
 * found in the namespace and finished.
 */
public final class Converter {
  private static final Logger LOG = LoggerFactory.getLogger(Converter.class);
  private static final int PERSIST_ATTEMPTS = 7;

  /** Each sub-block of a stripe is a connection of its own to or from the node that encodes. */
  private static final int MAX_STREAMS = 1024;

  private final Session session;
  private final ConvertRequest request;
  private final BooleanSupplier halted;
  private final List<Skipped> parityLeft = new SpilledList<>();
  private final ErasureCode code;
  private final HiddenDirectories hidden;
  private final Stopwatch watch = new Stopwatch();
  private final TrafficMeter encoding = new TrafficMeter();
  private final TrafficMeter relocation = new TrafficMeter();
  private final ReadLoads loads = new ReadLoads();
  private final ReadLoads.Shares shares = new ReadLoads.Shares();
  private final Preview preview;
  private final StoredBytes before = new StoredBytes();
  private final StoredBytes after = new StoredBytes();
  private final List<FileResult> results = new SpilledList<>();
  private final List<Skipped> leftAlone = new SpilledList<>();

  /** Files of the current batch that are left alone. */
  private final Preview.LeftAlone skipped = new Preview.LeftAlone();

  private final AtomicInteger downloads = new AtomicInteger();
  private final AtomicInteger relocated = new AtomicInteger();
  private final AtomicInteger dataBlocks = new AtomicInteger();
  private final AtomicInteger pipelined = new AtomicInteger();
  private final AtomicInteger stripesWritten = new AtomicInteger();
  private final AtomicInteger done = new AtomicInteger();
  private final AtomicInteger persisted = new AtomicInteger();
  private final Set<Long> finishedBefore = new HashSet<>();
  private ConvertReport.Grouping grouping = ConvertReport.Grouping.NONE;
  private int stripesBegun;

  public Converter(Session session, ConvertRequest request) throws RefusedException {
    this(session, request, () -> false);
  }

  /**
   * A conversion that may be broken off.
   *
   * @param halted whether no more stripes are to be begun
   */
  public Converter(Session session, ConvertRequest request, BooleanSupplier halted)
      throws RefusedException {
    this(session, request, halted, Cause.CONVERT);
  }

  /**
   * Like the other constructor, for a given cause.
   *
   * @param cause the cause under which its bytes are counted
   */
  Converter(Session session, ConvertRequest request, BooleanSupplier halted, Cause cause)
      throws RefusedException {
    this.session = session.with(Background.CONVERSION.because(cause).until(halted));
    this.request = request;
    this.halted = halted;
    preview = new Preview(request, session.rates());
    hidden = HiddenDirectories.below(request.paths());
    try {
      code = StripeCode.named(request.code(), request.parityCopies());
    } catch (UnknownCodeException e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw new RefusedException(String.valueOf(e.getMessage()), e);
    }
    int streams = code.n() * code.alpha();
    if (streams > MAX_STREAMS) {
      throw new RefusedException(
          "%s cuts each block into %d sub-blocks: a stripe would take up to %d connections at one"
                  .formatted(code.name(), code.alpha(), streams)
              + " worker, at most %d are made: choose a code with fewer sub-blocks"
                  .formatted(MAX_STREAMS));
    }
  }

  /**
   * Converts in batches of files, each of which is finished before the next one is listed, so that
   * another run goes on where this one is broken off.
   */
  public ConvertReport convert() throws IOException {
    return convert(new FileBatches(session.nameNode(), request.paths()));
  }

  /** The same with batches of the files asked for. */
  public ConvertReport convert(FileBatches batches) throws IOException {
    ClusterState state = session.cluster().settled();
    StripeRule rule = rule(state);
    session.nameNode().sweep(session.lease(), List.of());
    Optional<FileBatches.Batch> batch = batches.next();
    while (batch.isPresent()) {
      convert(batch.get(), session.cluster().recent(), rule, batches.hasMore());
      batch = halted.getAsBoolean() ? Optional.empty() : batches.next();
    }
    return new ConvertReport(
        request.code(),
        request.parityCopies(),
        results,
        leftAlone,
        parityLeft,
        stripesWritten.get(),
        dataBlocks.get(),
        stripesWritten.get() * code.m(),
        downloads.get(),
        relocated.get(),
        grouping,
        pipelined.get(),
        shares.now(state.eligible().size()),
        encoding.total(),
        relocation.total(),
        before.bytes(),
        after.bytes(),
        session.cluster().recent().rollingUpgrade(),
        preview.expected(session.throttles().throttle()),
        watch.seconds(),
        watch.spans());
  }

  /** Number of files that this run has converted so far, also after it was broken off. */
  public int persisted() {
    return persisted.get();
  }

  /**
   * Previews a conversion by the plans that it would carry out; changes nothing. Lists and groups
   * the next batch while it lays the stripes of the current one.
   *
   * @param throttle what work in the background may use
   */
  public ConvertPreview preview(Throttle throttle) throws IOException {
    return preview(new FileBatches(session.nameNode(), request.paths()), throttle);
  }

  /** The same with batches of the files asked for. */
  public ConvertPreview preview(FileBatches batches, Throttle throttle) throws IOException {
    StripeRule rule = rule(session.cluster().settled());
    Preview.Planning planning =
        new Preview.Planning(
            session,
            batches,
            (asked, known, state, without) -> plan(asked, known, state, rule, without));
    try (var ahead = new PagePrefetch<>(planning)) {
      for (var batch = planning.next(ahead); batch.isPresent(); batch = planning.next(ahead)) {
        List<StoredFile> asked = batch.get().asked();
        BatchPlan work = batch.get().work();
        Preview.LeftAlone without = batch.get().leftAlone();
        preview.add(
            work,
            writer(rule, work.known(), preview.loads(asked)),
            asked,
            this::random,
            (group, e) -> fail(group.files(), e, without),
            request.progress());
        leftAlone.addAll(without.files());
      }
    }
    return preview.report(leftAlone, throttle, session.cluster().recent());
  }

  private StripeEncoder writer(StripeRule rule, StripeMap known, ReadLoads read) {
    return new StripeEncoder(session, rule, request, known, read, encoding);
  }

  private void convert(
      FileBatches.Batch batch, ClusterState state, StripeRule rule, boolean hasMore)
      throws IOException {
    skipped.clear();
    finishedBefore.clear();
    StripeMap known = StripeMap.of(session.nameNode(), batch.files());
    before.add(batch.files(), known);
    for (StripeStatus status : known.all()) {
      if (status.isThinned()) {
        session.nameNode().protect(session.lease(), status.stripe().id());
      }
    }
    BatchPlan work = plan(batch.files(), known, state, rule, skipped);
    for (StoredFile file : work.refused()) {
      int wanted = known.replicationWithoutParity(file);
      if (wanted > file.replication()) {
        // Its parity is worth less than promised, and new parity is not worth its room.
        RaisedFile.raise(session, file, wanted)
            .ifPresent(refused -> skipped.skip(refused.path(), refused.cause(), refused.reason()));
      }
    }
    Faults.reach(FaultStep.CONVERT_GROUPED, work.groups().size() + " stripes");
    // What is planned is compared with what comes of it; nothing depends on it.
    preview.add(
        work,
        writer(rule, known, preview.loads(batch.files())),
        batch.files(),
        this::random,
        (group, e) -> {},
        Progress.SILENT);
    loads.begin(batch.files());
    run(work, rule, hasMore);
    List<StoredFile> converted = converted(work);
    parityLeft.addAll(new ParitySweep(session).sweep(work.thinned()).parity());
    List<StoredFile> now = batch.present();
    shares.add(
        batch.files(), now, converted.stream().map(StoredFile::inode).collect(Collectors.toSet()));
    after.add(session.nameNode(), now);
    converted.forEach(file -> results.add(result(file)));
    leftAlone.addAll(skipped.files());
    grouping = grouping.plus(work.grouping());
  }

  private StripeRule rule(ClusterState state) throws IOException {
    try {
      return ConvertRule.of(
          code, request.perRack(), request.targetRacks(), request.sites(), state.eligible());
    } catch (PlacementException e) {
      throw new RefusedException(e.getMessage() + state.silentNodes(), e);
    }
  }

  private BatchPlan plan(
      List<StoredFile> asked,
      StripeMap known,
      ClusterState state,
      StripeRule rule,
      BatchPlan.LeftAlone without)
      throws RefusedException {
    GroupChoice choice =
        new GroupChoice(code, request.method().group(), state, rule, known.whole());
    return BatchPlan.of(asked, hidden, known, code, choice, without);
  }

  private void run(BatchPlan work, StripeRule rule, boolean hasMore) throws IOException {
    StripeEncoder writer = writer(rule, work.known(), loads);
    // How many there are in all is known with the last batch.
    int total = stripesBegun + work.groups().size() + work.unfinished().size() + (hasMore ? 1 : 0);
    request.progress().at("converting", stripesBegun, total);
    StripesToFinish open = new StripesToFinish(work.files());
    Set<Long> asked = work.files().stream().map(StoredFile::inode).collect(Collectors.toSet());
    List<Parallel.Task> tasks = new ArrayList<>();
    for (StripeStatus status : work.unfinished()) {
      Stripe stripe = status.stripe();
      Set<Long> files =
          status.members().stream()
              .map(MemberStatus::inode)
              .filter(asked::contains)
              .collect(Collectors.toSet());
      tasks.add(
          task(
              stripesBegun++,
              stripe.blockIds(),
              open,
              total,
              random -> finish(stripe, files, random)));
    }
    Turns turns = new Turns();
    for (int i = 0; i < work.groups().size(); i++) {
      Group group = work.groups().get(i);
      Turns.Turn turn = turns.of(i);
      List<Long> blocks = group.blocks().stream().map(b -> b.status().block().id()).toList();
      Parallel.Task task =
          task(
              stripesBegun++,
              blocks,
              open,
              total,
              random -> {
                double since = watch.seconds();
                try (StripeEncoder.Written written = writer.write(group, turn, random.split())) {
                  watch.span("encode", written.stripe().shortId(), since);
                  finish(group, written, random);
                }
              });
      tasks.add(
          () -> {
            try {
              task.run();
            } finally {
              // Also when it was broken off before it laid anything.
              turn.pass();
            }
          });
    }
    for (StoredFile file : open.withoutWork()) {
      if (file.replication() == 1) {
        finishedBefore.add(file.inode());
      } else {
        tasks.add(() -> persist(file));
      }
    }
    Parallel.run(request.parallel(), tasks);
  }

  private void finish(Group group, StripeEncoder.Written written, SplittableRandom random)
      throws IOException {
    stripesWritten.incrementAndGet();
    dataBlocks.addAndGet(group.blocks().size());
    downloads.addAndGet(written.crossRackDataBlocks());
    pipelined.addAndGet(written.pipelined() ? 1 : 0);
    Set<Long> files = group.files().stream().map(StoredFile::inode).collect(Collectors.toSet());
    double since = watch.seconds();
    finisher().finishClaimed(written.stripe(), files, new KeptCopies(written.kept()), random);
    watch.span("trim", written.stripe().shortId(), since);
  }

  private void finish(Stripe stripe, Set<Long> files, SplittableRandom random) throws IOException {
    double since = watch.seconds();
    finisher().finish(stripe, files, new KeptCopies(), random);
    watch.span("trim", stripe.shortId(), since);
  }

  private StripeFinisher finisher() {
    return new StripeFinisher(session, relocation, relocated);
  }

  private interface Step {
    void run(SplittableRandom random) throws IOException;
  }

  /**
   * A stripe's work. When it fails its files stay replicated and are reported; a file is persisted
   * with its last stripe.
   */
  private Parallel.Task task(
      int index, List<Long> blocks, StripesToFinish open, int total, Step step) {
    List<StoredFile> files = open.begin(blocks);
    return () -> {
      if (halted.getAsBoolean()) {
        breakOff(files);
        return;
      }
      try {
        step.run(random(index));
      } catch (GaveWayException e) {
        breakOff(files);
        return;
      } catch (IOException | RuntimeException e) {
        fail(files, e, skipped);
      }
      for (StoredFile file : open.end(blocks)) {
        persist(file);
      }
      request.progress().at("converting", done.incrementAndGet(), total);
    };
  }

  private void breakOff(List<StoredFile> files) {
    files.forEach(
        file ->
            skipped.skip(file.path(), "BROKEN_OFF", "the conversion was broken off: try again"));
  }

  private SplittableRandom random(int stripe) {
    return new SplittableRandom(request.seed() + 0x9e3779b97f4a7c15L * (stripe + 1));
  }

  private static void fail(
      Collection<StoredFile> files, Exception e, BatchPlan.LeftAlone leftAlone) {
    List<String> paths = files.stream().map(StoredFile::path).toList();
    Obstacle obstacle = Obstacle.of(e);
    if (e instanceof RuntimeException) {
      LOG.warn("a stripe of {} is not converted", paths, e);
    } else {
      LOG.info("a stripe of {} is not converted: {}", paths, obstacle.reason());
    }
    paths.forEach(path -> leftAlone.skip(path, obstacle.cause(), obstacle.reason()));
  }

  /**
   * Persists the replication of a file all of whose stripes are finished. The NameNode decides by
   * the blocks that the file then has. A file that it refuses, for instance after an append, stays
   * as it is and is reported.
   */
  private void persist(StoredFile file) throws IOException {
    if (skipped.has(file.path())) {
      return;
    }
    PersistResponseProto answer = session.nameNode().persist(session.lease(), file.inode());
    for (int i = 1; i < PERSIST_ATTEMPTS && answer.getRepeatable(); i++) {
      if (answer.getRefusalsCount() == 0) {
        break;
      }
      Waiting.pause(100L << i);
      answer = session.nameNode().persist(session.lease(), file.inode());
    }
    if (answer.getRefusalsCount() == 0) {
      persisted.incrementAndGet();
      Faults.reach(FaultStep.CONVERT_PERSISTED, file.path());
      return;
    }
    int more = answer.getRefusalsCount() - 1;
    skipped.skip(
        file.path(),
        "CHANGED",
        "its replication stays %d: %s%s; convert it again"
            .formatted(
                file.replication(),
                answer.getRefusals(0),
                more == 0 ? "" : " (and " + more + " more)"));
  }

  private List<StoredFile> converted(BatchPlan work) {
    return work.files().stream().filter(file -> !skipped.has(file.path())).toList();
  }

  private FileResult result(StoredFile file) {
    return new FileResult(
        file.path(), file.length(), file.blocks().size(), finishedBefore.contains(file.inode()));
  }
}
