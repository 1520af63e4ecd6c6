package org.braid.hdfs.coordinator.policy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.api.ConvertReport.Skipped;
import org.braid.hdfs.api.ConvertRequest;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RestoreReport;
import org.braid.hdfs.api.WatchRequest;
import org.braid.hdfs.coordinator.convert.Converter;
import org.braid.hdfs.coordinator.convert.Restorer;
import org.braid.hdfs.coordinator.session.Session;
import org.braid.hdfs.coordinator.session.StripeMap;
import org.braid.hdfs.policy.Action;
import org.braid.hdfs.policy.Conversion;
import org.braid.hdfs.policy.KnownReads;
import org.braid.hdfs.policy.Policy;
import org.braid.hdfs.policy.PolicyDocument;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.hdfs.time.Ticker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Converts and restores the files that policies take. It walks the namespace repeatedly, in pages,
 * and works in batches, between which the caller can do other work. It keeps no state besides HDFS:
 * the next walk completes one that was interrupted.
 */
public final class PolicyWork {
  private static final Logger LOG = LoggerFactory.getLogger(PolicyWork.class);

  /** Blocks of a batch: repair waits for it, and stripes are formed among them. */
  static final int BATCH_BLOCKS = 256;

  /** Time to wait for replicas; then HDFS goes on copying, and the next walk finishes. */
  private static final long RESTORE_SECONDS = 30;

  private static final int NAMED = 3;

  /** An import of audit logs that is older is named. */
  private static final Duration OLD_IMPORT = Duration.ofDays(2);

  /** Suffix of the key of messages about a policy's reads, apart from its other messages. */
  private static final String READS = " reads";

  /**
   * Parallel stripes of previews: one, as places of parity depend on the order in which stripes are
   * laid.
   */
  private static final int PREVIEWED = 1;

  private static final int PREVIEW_SLICE = 1 << 20;

  private final CurrentPolicies policies;
  private final WatchRequest request;
  private final Ticker ticker;
  private final PolicyResults results;
  private final Map<String, String> said = new HashMap<>();
  private final Map<String, Batch> batches = new LinkedHashMap<>();
  private final Set<String> refused = new HashSet<>();
  private final PolicyWalk walk = new PolicyWalk(this::sayRefused);
  private Set<String> working = Set.of();
  private KnownReads reads = KnownReads.NONE;
  private String walked = "";
  private long next;
  private int converted;
  private int restored;

  /**
   * Nothing is done yet.
   *
   * @param results counts what came of each policy
   */
  public PolicyWork(
      CurrentPolicies policies, WatchRequest request, Ticker ticker, PolicyResults results) {
    this.results = results;
    this.policies = policies;
    this.request = request;
    this.ticker = ticker;
    next = ticker.millis();
  }

  /** Files of a policy that are worked on together. */
  private static final class Batch {
    final Policy policy;
    final List<Long> inodes = new ArrayList<>();
    int blocks;

    Batch(Policy policy) {
      this.policy = policy;
    }
  }

  /** Files that were converted. */
  public int converted() {
    return converted;
  }

  /** Files that were restored. */
  public int restored() {
    return restored;
  }

  /**
   * Begins anew under a new lease; the walk finds the work that earlier holders left unfinished.
   */
  public void begin() {
    if (!batches.isEmpty()) {
      batches.clear();
      next = ticker.millis(); // not an interval later, but once the present walk has ended
    }
  }

  /**
   * Reads a page, or works on a batch.
   *
   * @param halted whether no more stripes are to be begun
   */
  public void step(Session session, BooleanSupplier halted) throws IOException {
    PolicyDocument document = policies.now();
    if (!policies.problem().equals(said.put("", policies.problem()))
        && !policies.problem().isEmpty()) {
      request.journal().accept(policies.problem());
    }
    if (!policies.problem().isEmpty()) {
      return; // a page that is read now would be taken by nobody
    }
    if (!policies.file().equals(walked)) {
      walked = policies.file();
      document.policies().policies().forEach(policy -> results.know(policy.name()));
      said.keySet().removeIf(name -> !name.isEmpty());
      walk.end();
      batches.clear();
      next = ticker.millis();
    }
    Optional<Batch> full =
        batches.values().stream().filter(batch -> batch.blocks >= BATCH_BLOCKS).findFirst();
    if (full.isPresent()) {
      run(session, full.get(), halted);
    } else if (!walk.hasEnded()) {
      walk.next(session.nameNode()::filesAfter, files -> take(session, document, files));
    } else if (!batches.isEmpty()) {
      run(session, batches.values().iterator().next(), halted);
    } else {
      begin(session, document);
    }
  }

  /** Begins a walk when it is time, or a policy's window opens or pause ends. */
  private void begin(Session session, PolicyDocument document) throws IOException {
    boolean due = ticker.millis() >= next;
    if (due) {
      refused.clear();
    }
    Set<String> now =
        document.policies().policies().stream()
            .filter(policy -> works(document, policy))
            .map(Policy::name)
            .collect(Collectors.toSet());
    boolean more = !working.containsAll(now);
    working = now;
    if (!due && !more) {
      return;
    }
    next = ticker.millis() + request.policyMillis();
    if (!now.isEmpty()) {
      reads = policies.reads().known(session.nameNode().cluster());
      walk.begin(document.policies().roots());
    }
    for (Policy policy : document.policies().policies()) {
      if (now.contains(policy.name()) && policy.asksForReads()) {
        sayReads(policy);
      }
    }
  }

  /** Why a policy that asks for reads takes no file, or not what it should, or knows old reads. */
  private void sayReads(Policy policy) {
    Optional<String> tooFine = reads.tooFine(policy);
    if (tooFine.isPresent()) {
      sayReads(policy, tooFine.get());
      return;
    }
    Instant now = policies.clock().instant();
    boolean known = reads.since(policy.path()).isPresent();
    if (known && reads.judged(now).plus(OLD_IMPORT).isAfter(now)) {
      said.remove(policy.name() + READS);
      return;
    }
    String sentence =
        "policy %s %s: %s"
            .formatted(
                policy.name(),
                known ? "needs another import of audit logs" : "takes no file",
                reads.sentence(policy.path()));
    sayReads(policy, sentence);
  }

  private void sayReads(Policy policy, String sentence) {
    if (!sentence.equals(said.put(policy.name() + READS, sentence))) {
      request.journal().accept(sentence);
    }
  }

  /** Whether a policy's work is to be done now. */
  private boolean works(PolicyDocument document, Policy policy) {
    Instant now = policies.clock().instant();
    return policy.enabled()
        && policy.action() != Action.LEAVE
        && !refused.contains(policy.name())
        && policy.window().map(window -> window.contains(now)).orElse(true)
        && document.pausedUntil(policy.pausable(), now).isEmpty();
  }

  private void take(Session session, PolicyDocument document, List<StoredFile> files)
      throws IOException {
    Instant now = policies.clock().instant();
    List<StoredFile> hot = new ArrayList<>();
    Map<Long, Policy> takers = new HashMap<>();
    for (StoredFile file : files) {
      Optional<Policy> taker = document.policies().taker(PolicyView.facts(file, reads), now);
      if (taker.isEmpty() || !works(document, taker.get())) {
        continue;
      }
      takers.put(file.inode(), taker.get());
      if (taker.get().action() == Action.RESTORE) {
        hot.add(file);
      } else if (file.replication() > 1
          && file.obstacles().isEmpty()
          && taker.get().hides(file.path()).isEmpty()) {
        gather(taker.get(), file);
      }
    }
    if (!hot.isEmpty()) {
      StripeMap stripes = StripeMap.of(session.nameNode(), hot);
      for (StoredFile file : hot) {
        Policy taker = takers.get(file.inode());
        if (taker != null
            && file.blocks().stream().anyMatch(stripes::holds)
            && !stripes.isRestored(file)) {
          gather(taker, file);
        }
      }
    }
  }

  /** Reports a path that the NameNode refuses to list, whose files no policy takes. */
  private void sayRefused(String path, String why) {
    String sentence = "no policy takes files below %s: %s".formatted(path, why);
    if (!sentence.equals(said.put("path " + path, sentence))) {
      request.journal().accept(sentence);
    }
  }

  private void gather(Policy policy, StoredFile file) {
    Batch batch = batches.computeIfAbsent(policy.name(), name -> new Batch(policy));
    batch.inodes.add(file.inode());
    batch.blocks += file.blocks().size();
  }

  private void run(Session session, Batch batch, BooleanSupplier halted) throws IOException {
    batches.remove(batch.policy.name());
    Policy policy = batch.policy;
    BooleanSupplier over = () -> halted.getAsBoolean() || !stillWorks(policy);
    int before = converted + restored;
    try {
      if (over.getAsBoolean()) {
        return;
      }
      if (policy.action() == Action.CONVERT) {
        if (session.cluster().recent().rollingUpgrade()) {
          refused.add(policy.name());
          results.add(policy.name(), PolicyResults.Result.WAITING, 1);
          say(
              policy,
              "policy %s waits: a rolling upgrade of HDFS goes on: parity would take room, and DataNodes"
                      .formatted(policy.name())
                  + " keep the replicas that are dropped until it is finalised; braid convert converts"
                  + " at once");
          return;
        }
        convert(session, policy, batch.inodes, over);
      } else {
        restore(session, policy, batch.inodes, over);
      }
    } catch (IOException e) {
      if (ended(policy, e, converted + restored - before, halted, () -> leads(session))) {
        throw e;
      }
    } catch (RuntimeException e) {
      results.add(policy.name(), PolicyResults.Result.FAILED, 1);
      throw e;
    } finally {
      if (halted.getAsBoolean()) {
        next = ticker.millis(); // what was broken off is found again, and not an interval later
      }
    }
  }

  /**
   * Reports a batch that ended in an exception.
   *
   * @param files number of files that were done before
   * @return whether the cause stops all policies for now
   */
  private boolean ended(
      Policy policy, IOException e, int files, BooleanSupplier halted, BooleanSupplier leads) {
    switch (BatchEnd.of(e, halted, leads)) {
      case BROKEN_OFF -> sayBrokenOff(policy, files, "the next daemon goes on with them");
      case WITHOUT_LEASE -> {
        next = ticker.millis(); // its files are found again, and not an interval later
        sayBrokenOff(policy, files, "they are found again once the lease is held");
      }
      case REFUSED -> {
        refused.add(policy.name());
        results.add(policy.name(), PolicyResults.Result.REFUSED, 1);
        say(policy, "policy %s does nothing: %s".formatted(policy.name(), e.getMessage()));
        return false;
      }
      case FAILED -> {
        if (!results.failed(policy.name(), e, stillWorks(policy))) {
          LOG.info("policy {} may not go on for now: {}", policy.name(), e.getMessage());
          return false; // the walk after that finishes
        }
      }
    }
    return true;
  }

  private void sayBrokenOff(Policy policy, int files, String then) {
    request.journal().accept(PolicyLines.brokenOff(policy.name(), files, then));
  }

  /** Whether the NameNode confirms that the lease is held; false when it does not answer. */
  private static boolean leads(Session session) {
    try {
      return session.nameNode().leases().renew(session.lease());
    } catch (IOException e) {
      LOG.info("it is not known whether the lease is held: {}", e.getMessage());
      return false;
    }
  }

  private boolean stillWorks(Policy policy) {
    PolicyDocument document = policies.now();
    return document.policies().policies().contains(policy) && works(document, policy);
  }

  private void say(Policy policy, String sentence) {
    if (!sentence.equals(said.put(policy.name(), sentence))) {
      request.journal().accept(sentence);
    }
  }

  private void convert(Session session, Policy policy, List<Long> inodes, BooleanSupplier halted)
      throws IOException {
    ConvertReport report = null;
    List<Long> left = inodes;
    while (report == null && !left.isEmpty()) {
      try {
        report = converted(policy, new Converter(session, request(policy, paths(left)), halted));
      } catch (FileNotFoundException e) {
        List<Long> present = present(session, left);
        if (present.size() == left.size()) {
          throw e; // not for one that was deleted meanwhile
        }
        left = present;
      }
    }
    if (report == null) {
      return;
    }
    int now = (int) report.files().stream().filter(file -> !file.already()).count();
    if (now > 0) {
      request
          .journal()
          .accept(
              PolicyLines.converted(
                  policy.name(),
                  now,
                  report.code(),
                  report.storageBefore(),
                  report.storageAfter()));
    }
    left(policy, report.skipped());
  }

  /** Converts and counts the files, also when it is broken off. */
  private ConvertReport converted(Policy policy, Converter converter) throws IOException {
    try {
      return converter.convert();
    } finally {
      converted += converter.persisted();
      results.add(policy.name(), PolicyResults.Result.CONVERTED, converter.persisted());
    }
  }

  private static List<String> paths(List<Long> inodes) {
    return inodes.stream().map(BraidPaths::inode).toList();
  }

  /** The files that are still there. */
  private static List<Long> present(Session session, List<Long> inodes) throws IOException {
    List<Long> present = new ArrayList<>();
    for (long inode : inodes) {
      try {
        session.nameNode().filesAfter(BraidPaths.inode(inode), Optional.empty());
        present.add(inode);
      } catch (FileNotFoundException e) {
        LOG.debug("inode {} was deleted", inode);
      }
    }
    return present;
  }

  private void left(Policy policy, List<Skipped> skipped) {
    results.add(policy.name(), PolicyResults.Result.LEFT_ALONE, skipped.size());
    for (Skipped file : skipped.subList(0, Math.min(NAMED, skipped.size()))) {
      LOG.info("policy {} leaves {} alone: {}", policy.name(), file.path(), file.reason());
    }
    if (skipped.isEmpty()) {
      said.remove(policy.name());
    } else {
      Skipped first = skipped.get(0);
      say(
          policy,
          "policy %s leaves %d files alone, the first: %s: %s"
              .formatted(policy.name(), skipped.size(), first.path(), first.reason()));
    }
  }

  private ConvertRequest request(Policy policy, List<String> paths) {
    return request(
        policy,
        paths,
        new Pace(request.parallel(), request.sliceBytes(), request.seed(), request.alive()));
  }

  /** Settings of conversions and restorations. */
  private record Pace(int parallel, int sliceBytes, long seed, Progress progress) {}

  /** The conversion that a policy asks for. */
  static ConvertRequest previewed(Policy policy, List<String> paths) {
    return request(policy, paths, new Pace(PREVIEWED, PREVIEW_SLICE, 1, Progress.SILENT));
  }

  private static ConvertRequest request(Policy policy, List<String> paths, Pace pace) {
    Conversion how = policy.conversion().orElseThrow();
    return new ConvertRequest(
        paths,
        how.code(),
        how.perRack(),
        how.targetRacks(),
        how.placement().equals(Conversion.RACKS) ? Optional.empty() : Optional.of(how.placement()),
        how.parityCopies(),
        new ConvertRequest.Method(
            ConvertRequest.Encoder.CORE_RACK,
            ConvertRequest.Group.valueOf(how.group().toUpperCase(Locale.ROOT)),
            ConvertRequest.Encode.AUTO,
            ConvertRequest.Homes.EVEN),
        pace.parallel(),
        pace.sliceBytes(),
        pace.seed(),
        pace.progress());
  }

  private void restore(Session session, Policy policy, List<Long> inodes, BooleanSupplier halted)
      throws IOException {
    RestoreReport report =
        new Restorer(session, request.alive(), halted, RESTORE_SECONDS).restore(paths(inodes));
    restored += report.files().size();
    results.add(policy.name(), PolicyResults.Result.RESTORED, report.files().size());
    request.journal().accept(PolicyLines.restored(policy.name(), report.files().size()));
    left(policy, report.skipped());
  }
}
