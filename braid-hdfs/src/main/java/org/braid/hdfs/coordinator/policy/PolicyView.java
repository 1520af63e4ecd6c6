package org.braid.hdfs.coordinator.policy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.braid.hdfs.api.ConvertPreview;
import org.braid.hdfs.api.ConvertReport.Skipped;
import org.braid.hdfs.api.ConvertRequest;
import org.braid.hdfs.api.Policies;
import org.braid.hdfs.api.PolicyPreview;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.api.view.ReadImportReport;
import org.braid.hdfs.coordinator.session.NameNodeCalls;
import org.braid.hdfs.coordinator.session.StripeMap;
import org.braid.hdfs.policy.Action;
import org.braid.hdfs.policy.FileFacts;
import org.braid.hdfs.policy.FileVerdict;
import org.braid.hdfs.policy.HiddenDirectories;
import org.braid.hdfs.policy.KnownReads;
import org.braid.hdfs.policy.Policy;
import org.braid.hdfs.policy.PolicyDocument;
import org.braid.hdfs.policy.audit.LastUses;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.StatusCodec;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.placement.EligibleNodes;

/** The policies as commands see and change them. */
public final class PolicyView implements Policies {
  private final NameNodeCalls nameNode;
  private final PolicyStore store;
  private final InstantSource clock;
  private final Previews previews;

  /** Previews conversions. */
  public interface Previews {
    ConvertPreview preview(ConvertRequest request) throws IOException;
  }

  public PolicyView(
      NameNodeCalls nameNode, PolicyStore store, InstantSource clock, Previews previews) {
    this.nameNode = nameNode;
    this.store = store;
    this.clock = clock;
    this.previews = previews;
  }

  @Override
  public PolicyDocument current() throws IOException {
    return store.current();
  }

  @Override
  public List<Change> history() throws IOException {
    return store.history();
  }

  @Override
  public PolicyDocument change(String what, UnaryOperator<PolicyDocument> change)
      throws IOException {
    KnownReads reads = reads();
    return store.change(
        what,
        before -> {
          PolicyDocument after = change.apply(before);
          after.policies().checkChanges(before.policies(), reads);
          return after;
        });
  }

  @Override
  public Optional<String> misfit(Policy policy) throws IOException {
    if (policy.conversion().isEmpty()) {
      return Optional.empty();
    }
    EligibleNodes nodes =
        PolicyFit.places(
            nameNode.cluster().getDatanodesList().stream().map(StatusCodec::of).toList());
    // Where there is none, that is no matter of codes.
    return nodes.size() == 0 ? Optional.empty() : PolicyFit.problem(policy, nodes);
  }

  @Override
  public KnownReads reads() throws IOException {
    return store.reads().known(nameNode.cluster());
  }

  @Override
  public ReadImportReport importReads(LastUses uses, ReadImportReport.Mode mode, Progress progress)
      throws IOException {
    return new ReadImport(nameNode, store.reads(), uses, mode, progress).run();
  }

  @Override
  public Explanation explain(String path) throws IOException {
    PolicyDocument document = store.current();
    NameNodeCalls.FilePage page = nameNode.filesAfter(path, Optional.empty());
    if (page.files().size() != 1 || !page.files().get(0).path().equals(path)) {
      throw new RefusedException(
          path + " is a directory: name a file, or see braid policy list for what is taken");
    }
    StoredFile file = page.files().get(0);
    StripeMap stripes = StripeMap.of(nameNode, page.files());
    Set<String> codes = codes(encoding(file, stripes));
    KnownReads reads = reads();
    FileFacts facts = facts(file, reads);
    FileVerdict verdict = document.policies().explain(facts, clock.instant());
    Standing standing =
        verdict.policy().map(policy -> standing(policy, file, stripes)).orElse(Standing.AS_WANTED);
    Optional<String> problem = verdict.policy().flatMap(reads::tooFine);
    if (problem.isEmpty() && verdict.policy().isPresent() && standing == Standing.TO_DO) {
      problem = refusal(verdict.policy().get(), file);
    }
    return new Explanation(facts, List.copyOf(codes), standing, verdict, problem);
  }

  /**
   * The remaining work on a file for the policy that takes it, as the daemon decides it. The daemon
   * restores no file that never had more than one replica, and converts every file that has more
   * than one.
   */
  static Standing standing(Policy policy, StoredFile file, StripeMap stripes) {
    List<StripeStatus> encoding = encoding(file, stripes);
    boolean whole = !encoding.isEmpty() && encoding.size() == file.blocks().size();
    return switch (policy.action()) {
      case LEAVE -> Standing.AS_WANTED;
      case RESTORE ->
          encoding.isEmpty() || stripes.isRestored(file) ? Standing.AS_WANTED : Standing.TO_DO;
      case CONVERT ->
          whole && file.replication() == 1 ? converted(policy, encoding) : Standing.TO_DO;
    };
  }

  /** The remaining work of a converting policy on a file that is converted with some code. */
  private static Standing converted(Policy policy, List<StripeStatus> encoding) {
    return policy
        .conversion()
        .filter(how -> codes(encoding).equals(Set.of(how.stripeCode())))
        .map(how -> Standing.AS_WANTED)
        .orElse(Standing.OTHER_CODE);
  }

  /**
   * The stripes that a file relies on, one for each of its blocks in a stripe. None when the file
   * has all its replicas again: its stripes then protect only other files.
   */
  static List<StripeStatus> encoding(StoredFile file, StripeMap stripes) {
    if (file.replication() > 1 && stripes.isRestored(file)) {
      return List.of();
    }
    List<StripeStatus> encoding = new ArrayList<>();
    for (BlockStatus block : file.blocks()) {
      StripeStatus stripe = stripes.of(block);
      if (stripe != null) {
        encoding.add(stripe);
      }
    }
    return encoding;
  }

  private static Set<String> codes(List<StripeStatus> encoding) {
    Set<String> codes = new TreeSet<>();
    encoding.forEach(stripe -> codes.add(stripe.stripe().recordedCode().name()));
    return codes;
  }

  /** Why the conversion of a policy is refused on this cluster now, or skips the file. */
  private Optional<String> refusal(Policy policy, StoredFile file) throws IOException {
    if (policy.action() != Action.CONVERT) {
      return Optional.empty();
    }
    Optional<Skipped> hidden = hidden(policy, file);
    if (hidden.isPresent()) {
      return hidden.map(Skipped::reason);
    }
    try {
      return obstacle(
          file,
          previews
              .preview(PolicyWork.previewed(policy, List.of(BraidPaths.inode(file.inode()))))
              .leftAlone());
    } catch (RefusedException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    } catch (FileNotFoundException e) {
      return Optional.empty(); // it was deleted meanwhile
    }
  }

  /**
   * The obstacle of the file itself. A file that saves nothing alone may save something together
   * with others.
   */
  static Optional<String> obstacle(StoredFile file, List<Skipped> leftAlone) {
    return leftAlone.stream()
        .filter(left -> file.obstacles().contains(left.cause()))
        .map(Skipped::reason)
        .findFirst()
        .or(
            () ->
                Optional.of(file)
                    .filter(StoredFile::hasOneReplica)
                    .map(f -> oneReplica(f).reason()));
  }

  /** Why the daemon passes over a file of one replica that is not converted. */
  static Skipped oneReplica(StoredFile file) {
    return new Skipped(
        file.path(),
        "LEFT_SINGLE",
        "it has one replica, and blocks that no stripe protects: policies leave such files as users"
            + " want them, braid convert converts them");
  }

  /**
   * The reason that the daemon skips a file in a hidden directory that the policy does not name.
   */
  static Optional<Skipped> hidden(Policy policy, StoredFile file) {
    return policy
        .hides(file.path())
        .map(
            directory ->
                new Skipped(
                    file.path(),
                    HiddenDirectories.CAUSE,
                    HiddenDirectories.reasonOfPolicy(directory)));
  }

  @Override
  public List<PolicyPreview> preview(Progress progress) throws IOException {
    PolicyDocument document = store.current();
    return new Foresight(new OnCluster(), document, reads(), clock.instant(), progress).look();
  }

  private final class OnCluster implements Foresight.Calls {
    @Override
    public NameNodeCalls.FilePage filesAfter(String path, Optional<String> after)
        throws IOException {
      return nameNode.filesAfter(path, after);
    }

    @Override
    public StripeMap stripes(List<StoredFile> files) throws IOException {
      return StripeMap.of(nameNode, files);
    }

    @Override
    public ConvertPreview preview(ConvertRequest request) throws IOException {
      return previews.preview(request);
    }
  }

  /** The facts about a file that policies decide by. */
  static FileFacts facts(StoredFile file, KnownReads reads) {
    long modified = file.usage().modified();
    return new FileFacts(
        file.path(),
        file.length(),
        file.blocks().size(),
        file.usage().owner(),
        Instant.ofEpochMilli(modified),
        reads.source() == KnownReads.Source.UNKNOWN
            ? Optional.empty()
            : Optional.of(Instant.ofEpochMilli(Math.max(modified, file.usage().accessed()))),
        reads);
  }
}
