package org.braid.hdfs.coordinator;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.Path;
import org.braid.code.ErasureCode;
import org.braid.code.UnknownCodeException;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.api.ConvertReport.FileResult;
import org.braid.hdfs.api.ConvertReport.Skipped;
import org.braid.hdfs.api.ConvertRequest;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.coordinator.Grouper.Group;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.fault.Faults;
import org.braid.hdfs.proto.BraidProtos.BlockStatusProto;
import org.braid.hdfs.proto.BraidProtos.FileProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.hdfs.proto.BraidProtos.StripeStatusProto;
import org.braid.hdfs.rpc.StripeCode;
import org.braid.placement.PlacementException;
import org.braid.placement.StripeRule;
import org.braid.placement.StripeRules;
import org.braid.placement.TargetRacks;
import org.braid.placement.site.SitePolicies;
import org.braid.placement.site.SiteRules;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns replicated files into erasure-coded ones in place. Work that an earlier run left behind is
 * found in the namespace and finished.
 */
final class Converter {
  private static final Logger LOG = LoggerFactory.getLogger(Converter.class);
  private static final long DELETE_MILLIS = 10_000;

  /** Each sub-block of a stripe is a connection of its own to or from the node that encodes. */
  private static final int MAX_STREAMS = 1024;

  private final Session session;
  private final ConvertRequest request;
  private final ErasureCode code;
  private final Stopwatch watch = new Stopwatch();
  private final TrafficMeter encoding = new TrafficMeter();
  private final TrafficMeter relocation = new TrafficMeter();
  private final Map<String, Skipped> skipped = new TreeMap<>();
  private final AtomicInteger downloads = new AtomicInteger();
  private final AtomicInteger relocated = new AtomicInteger();
  private final AtomicInteger dataBlocks = new AtomicInteger();
  private final AtomicInteger pipelined = new AtomicInteger();
  private final AtomicInteger stripesWritten = new AtomicInteger();
  private final AtomicInteger done = new AtomicInteger();

  Converter(Session session, ConvertRequest request) throws RefusedException {
    this.session = session;
    this.request = request;
    try {
      code = StripeCode.of(request.code(), request.parityCopies());
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

  /** What remains to be done for a file before its replication may be persisted. */
  private record Work(
      List<FileProto> files,
      List<StripeStatusProto> unfinished,
      List<Group> groups,
      ConvertReport.Grouping grouping) {}

  ConvertReport convert() throws IOException {
    ClusterState state = session.sight().now();
    StripeRule rule = rule(state);
    session.nameNode().sweep(session.lease(), List.of());
    Map<Long, FileProto> asked = new LinkedHashMap<>();
    for (String path : request.paths()) {
      session.nameNode().files(path).forEach(f -> asked.put(f.getInode(), f));
    }
    long before = stored(asked.values());
    Work work = plan(asked.values(), state, rule);
    Faults.reach(FaultStep.CONVERT_GROUPED, work.groups().size() + " stripes");
    run(work, rule, ReadLoads.of(asked.values()));
    List<FileResult> results = persist(work);
    session.nameNode().sweep(session.lease(), List.of());
    List<FileProto> after = new ArrayList<>();
    for (String path : request.paths()) {
      after.addAll(session.nameNode().files(path));
    }
    return new ConvertReport(
        request.code(),
        request.parityCopies(),
        results,
        List.copyOf(skipped.values()),
        stripesWritten.get(),
        dataBlocks.get(),
        stripesWritten.get() * code.m(),
        downloads.get(),
        relocated.get(),
        work.grouping(),
        pipelined.get(),
        ReadLoads.shares(
            asked.values(),
            after,
            results.stream().map(FileResult::path).collect(Collectors.toSet()),
            (int) IntStream.range(0, state.topology().nodes()).filter(state::eligible).count()),
        encoding.total(),
        relocation.total(),
        before,
        stored(after),
        watch.seconds(),
        watch.spans());
  }

  private StripeRule rule(ClusterState state) throws IOException {
    try {
      if (request.sites().isPresent()) {
        return SiteRules.on(
            code,
            SitePolicies.named(request.sites().get()),
            request.perRack(),
            state.topology(),
            state::eligible);
      }
      return request.targetRacks().isEmpty()
          ? StripeRules.on(code, request.perRack(), state.topology(), state::eligible)
          : StripeRules.on(
              code,
              request.perRack(),
              TargetRacks.largest(
                  state.topology(), state::eligible, request.targetRacks().getAsInt()),
              state.topology(),
              state::eligible);
    } catch (PlacementException e) {
      throw StripeWriter.refused(e);
    }
  }

  /** Bytes of all replicas of some files and of the parity that protects them. */
  private long stored(Collection<FileProto> files) throws IOException {
    return StripeMap.of(session.nameNode(), files).storedBytes(files);
  }

  private Work plan(Collection<FileProto> asked, ClusterState state, StripeRule rule)
      throws IOException {
    StripeMap stripes = StripeMap.of(session.nameNode(), asked);
    List<FileProto> fit = new ArrayList<>();
    for (FileProto file : asked) {
      Obstacle obstacle = Obstacle.of(file, stripes, code);
      if (obstacle == null) {
        fit.add(file);
      } else {
        skip(file.getPath(), obstacle.cause(), obstacle.reason());
      }
    }
    GroupChoice.Chosen chosen =
        new GroupChoice(code, request.method().group(), state, rule, stripes).choose(fit);
    for (GainFilter.Refusal refusal : chosen.refusals()) {
      refusal.paths().forEach(path -> skip(path, "NO_GAIN", refusal.reason()));
    }
    fit.removeIf(f -> skipped.containsKey(f.getPath()));
    Map<String, StripeStatusProto> unfinished = new LinkedHashMap<>();
    for (FileProto file : fit) {
      for (BlockStatusProto block : file.getBlocksList()) {
        StripeStatusProto status = stripes.of(block);
        if (status != null && !finished(file, block)) {
          unfinished.put(status.getStripe().getId(), status);
        }
      }
    }
    return new Work(fit, List.copyOf(unfinished.values()), chosen.groups(), chosen.report());
  }

  private static boolean finished(FileProto file, BlockStatusProto block) {
    return file.getReplication() == 1 && block.getExpected() <= 1 && block.getReplicasCount() <= 1;
  }

  private void skip(String path, String cause, String reason) {
    skipped.put(path, new Skipped(path, cause, reason));
  }

  private void run(Work work, StripeRule rule, ReadLoads loads) throws IOException {
    StripeWriter writer = new StripeWriter(session, rule, request, loads, encoding);
    int total = work.groups().size() + work.unfinished().size();
    request.progress().at("converting", 0, total);
    List<Parallel.Task> tasks = new ArrayList<>();
    for (StripeStatusProto status : work.unfinished()) {
      Set<String> paths = new HashSet<>();
      StripeProto stripe = status.getStripe();
      status.getMembersList().subList(0, code.k()).stream()
          .filter(m -> m.hasPath())
          .forEach(m -> paths.add(m.getPath()));
      tasks.add(task(tasks.size(), paths, total, random -> finish(stripe, random)));
    }
    for (Group group : work.groups()) {
      Set<String> paths = new HashSet<>();
      group.files().forEach(f -> paths.add(f.getPath()));
      tasks.add(
          task(
              tasks.size(),
              paths,
              total,
              random -> {
                double since = watch.seconds();
                StripeWriter.Written written = writer.write(group, random.split());
                String name = Stripes.shortId(written.stripe());
                watch.span("encode", name, since);
                stripesWritten.incrementAndGet();
                dataBlocks.addAndGet(group.blocks().size());
                downloads.addAndGet(written.crossRackDataBlocks());
                pipelined.addAndGet(written.pipelined() ? 1 : 0);
                finish(written.stripe(), random);
              }));
    }
    Parallel.run(request.parallel(), tasks);
  }

  private void finish(StripeProto stripe, SplittableRandom random) throws IOException {
    double since = watch.seconds();
    new StripeFinisher(session, relocation, relocated)
        .finish(stripe.getId(), Stripes.blockIds(stripe), random);
    watch.span("trim", Stripes.shortId(stripe), since);
  }

  private interface Step {
    void run(SplittableRandom random) throws IOException;
  }

  /** A stripe's work; when it fails its files stay replicated and are reported. */
  private Parallel.Task task(int index, Set<String> paths, int total, Step step) {
    return () -> {
      try {
        step.run(new SplittableRandom(request.seed() + 0x9e3779b97f4a7c15L * (index + 1)));
      } catch (IOException | IllegalArgumentException e) {
        LOG.warn("a stripe of {} is not converted: {}", paths, e.getMessage());
        String cause = e instanceof RefusedException ? "REFUSED" : "FAILED";
        synchronized (skipped) {
          for (String path : paths) {
            skip(path, cause, String.valueOf(e.getMessage()));
          }
        }
      }
      request.progress().at("converting", done.incrementAndGet(), total);
    };
  }

  /** Persists the replication of the files all of whose stripes are finished. */
  private List<FileResult> persist(Work work) throws IOException {
    List<FileResult> results = new ArrayList<>();
    for (FileProto file : work.files()) {
      if (skipped.containsKey(file.getPath())) {
        continue;
      }
      boolean already =
          file.getReplication() == 1
              && file.getBlocksList().stream().allMatch(b -> finished(file, b))
              && work.groups().stream()
                  .flatMap(g -> g.files().stream())
                  .noneMatch(f -> f.getInode() == file.getInode());
      if (!already) {
        awaitSingle(file);
        // By inode, as the path may name another file by now.
        session
            .files()
            .setReplication(new Path("/.reserved/.inodes/" + file.getInode()), (short) 1);
        Faults.reach(FaultStep.CONVERT_PERSISTED, file.getPath());
      }
      results.add(new FileResult(file.getPath(), file.getLength(), file.getBlocksCount(), already));
    }
    return results;
  }

  private void awaitSingle(FileProto file) throws IOException {
    boolean single =
        Waiting.until(
            DELETE_MILLIS,
            () ->
                session.nameNode().files(file.getPath()).stream()
                    .filter(f -> f.getInode() == file.getInode())
                    .flatMap(f -> f.getBlocksList().stream())
                    .allMatch(b -> b.getReplicasCount() <= 1));
    if (!single) {
      LOG.info("{} still has surplus replicas; HDFS is deleting them", file.getPath());
    }
  }
}
