package org.braid.hdfs.policy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Policies in their order; the first that takes a file wins. No two of them convert and restore a
 * file by turns, see {@link Hysteresis}: a converted file is restored only after it was used, and a
 * restored file stays replicated for at least the time that it counts as hot. Other sets are
 * refused with an {@link IllegalArgumentException}, in a sentence.
 */
public record PolicySet(List<Policy> policies) {
  /** No policies. */
  public static final PolicySet NONE = new PolicySet(List.of());

  private static final int MOST = 1000;

  public PolicySet {
    policies = List.copyOf(policies);
    if (policies.size() > MOST) {
      throw new IllegalArgumentException(
          policies.size() + " policies, at most " + MOST + " are kept");
    }
    for (int i = 0; i < policies.size(); i++) {
      for (int j = 0; j < i; j++) {
        Policy earlier = policies.get(j);
        Policy later = policies.get(i);
        if (earlier.name().equals(later.name())) {
          throw new IllegalArgumentException("there is a policy " + later.name() + " already");
        }
        Hysteresis.check(earlier, later);
      }
    }
  }

  /** The policy that takes a file at a moment. */
  public Optional<Policy> taker(FileFacts file, Instant now) {
    return policies.stream().filter(policy -> policy.takes(file, now)).findFirst();
  }

  /** Explains which policy takes a file, now or later if it is not used, or why none does. */
  public FileVerdict explain(FileFacts file, Instant now) {
    Optional<Policy> taker = taker(file, now);
    List<FileVerdict.Passed> passed =
        policies.stream()
            .takeWhile(policy -> taker.isEmpty() || !policy.equals(taker.get()))
            .map(policy -> new FileVerdict.Passed(policy.name(), reason(policy, file, now)))
            .toList();
    if (taker.isPresent()) {
      return new FileVerdict(taker, taker.map(Policy::action), Optional.empty(), passed);
    }
    TreeSet<Instant> moments = new TreeSet<>();
    FileFacts continued = file.continued();
    boolean lags = !continued.equals(file);
    moments.add(now);
    policies.forEach(policy -> moments.addAll(policy.moments(file)));
    for (Instant moment : moments.tailSet(now, lags)) {
      Optional<Policy> later = taker(continued, moment);
      if (later.isPresent()) {
        return new FileVerdict(later, later.map(Policy::action), Optional.of(moment), passed);
      }
    }
    return new FileVerdict(Optional.empty(), Optional.empty(), Optional.empty(), passed);
  }

  private static String reason(Policy policy, FileFacts file, Instant now) {
    return policy.enabled() ? policy.against(file, now).orElse("") : "it is disabled";
  }

  /** The paths at or below which are all files that enabled policies may convert or restore. */
  public List<String> roots() {
    return topmost(
        policies.stream()
            .filter(policy -> policy.enabled() && policy.action() != Action.LEAVE)
            .flatMap(policy -> policy.path().roots().stream()));
  }

  /** The paths that are not below another one. */
  static List<String> topmost(Stream<String> paths) {
    List<String> all = paths.distinct().sorted().toList();
    return all.stream()
        .filter(path -> all.stream().noneMatch(other -> isBelow(path, other)))
        .toList();
  }

  private static boolean isBelow(String path, String directory) {
    return !path.equals(directory) && isAtOrBelow(path, directory);
  }

  static boolean isAtOrBelow(String path, String directory) {
    return path.equals(directory)
        || path.startsWith(directory.endsWith("/") ? directory : directory + "/");
  }

  /** The policies that depend on reads, disabled ones included. */
  public List<Policy> askingForReads() {
    return policies.stream().filter(Policy::asksForReads).toList();
  }

  /** The ages of enabled policies that are too small for the precision of known reads. */
  public List<String> tooFine(KnownReads reads) {
    return policies.stream()
        .filter(Policy::enabled)
        .flatMap(policy -> reads.tooFine(policy).stream())
        .toList();
  }

  /**
   * Refuses new policies, and changed enabled ones, with ages below the precision of reads or with
   * paths in snapshots.
   *
   * @param before the previous policies
   * @throws IllegalArgumentException in a sentence with numbers
   */
  public void checkChanges(PolicySet before, KnownReads reads) {
    for (Policy policy : policies) {
      Optional<Policy> former = before.named(policy.name());
      boolean kept = former.isPresent() && (former.get().equals(policy) || !policy.enabled());
      Optional<String> wrong =
          kept ? Optional.empty() : policy.inSnapshot().or(() -> reads.tooFine(policy));
      if (wrong.isPresent()) {
        throw new IllegalArgumentException(wrong.get());
      }
    }
  }

  /** A policy. */
  public Optional<Policy> named(String name) {
    return policies.stream().filter(policy -> policy.name().equals(name)).findFirst();
  }

  private int indexOf(String name) {
    return IntStream.range(0, policies.size())
        .filter(i -> policies.get(i).name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no policy \"" + name + "\""));
  }

  /**
   * The same with a policy.
   *
   * @param position its place, from 0; empty for the last
   */
  public PolicySet with(Policy policy, OptionalInt position) {
    List<Policy> more = new ArrayList<>(policies);
    more.add(Math.min(position.orElse(more.size()), more.size()), policy);
    return new PolicySet(more);
  }

  /** The place of a policy, from 0. */
  public int position(String name) {
    return indexOf(name);
  }

  /** The same without a policy. */
  public PolicySet without(String name) {
    List<Policy> fewer = new ArrayList<>(policies);
    fewer.remove(indexOf(name));
    return new PolicySet(fewer);
  }

  /** The same with a policy changed. */
  public PolicySet changing(String name, UnaryOperator<Policy> change) {
    List<Policy> changed = new ArrayList<>(policies);
    changed.set(indexOf(name), change.apply(policies.get(indexOf(name))));
    return new PolicySet(changed);
  }
}
