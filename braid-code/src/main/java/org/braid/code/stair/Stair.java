package org.braid.code.stair;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.braid.code.Checks;
import org.braid.code.CodeFamily;
import org.braid.code.LocalGroup;
import org.braid.code.NamedCode;
import org.braid.code.Promise;
import org.braid.code.Promises;
import org.braid.code.RackLosses;
import org.braid.code.Schedule;
import org.braid.code.StripeSize;

/** A STAIR code, or an R-STAIR code when l is not 0; alpha is 1. */
public final class Stair extends NamedCode {
  /** Codes named {@code stair-nN-rR-mM-eE0.E1-l0}. */
  public static final CodeFamily STAIR =
      new CodeFamily(
          "stair",
          "stair-nN-rR-mM-eE0.E1-l0",
          "STAIR, N racks of R blocks, survives M racks and E0, E1, ... blocks of others",
          "stair-n8-r4-m2-e1.1.2-l0",
          "R-STAIR §III",
          p -> StripeSize.of(p[0] * p[1], 1),
          text -> new Stair(StairSettings.stair(text)));

  /** Codes named {@code rstair-nN-rR-mM-eE0.E1-lL}. */
  public static final CodeFamily RSTAIR =
      new CodeFamily(
          "rstair",
          "rstair-nN-rR-mM-eE0.E1-lL",
          "R-STAIR, as STAIR, and each rack rebuilds L of its blocks by itself",
          "rstair-n6-r5-m1-e2.4-l1",
          "R-STAIR §III",
          p -> StripeSize.of(p[0] * p[1], 1),
          text -> new Stair(StairSettings.rstair(text)));

  private final StairSettings settings;
  private final CanonicalStripe stripe;

  public Stair(StairSettings settings) {
    this(settings, new CanonicalStripe(settings));
  }

  private Stair(StairSettings settings, CanonicalStripe stripe) {
    super(settings.name(), 1, stripe.generator());
    this.settings = settings;
    this.stripe = stripe;
  }

  /** The parameters. */
  public StairSettings settings() {
    return settings;
  }

  @Override
  public List<LocalGroup> groups() {
    List<List<Integer>> racks = stripe.racks();
    return IntStream.range(0, settings.l() == 0 ? 0 : racks.size())
        .mapToObj(i -> new LocalGroup("rack " + i, racks.get(i), settings.l()))
        .toList();
  }

  @Override
  public Optional<List<Integer>> racks() {
    return Optional.of(IntStream.range(0, n()).map(stripe::columnOf).boxed().toList());
  }

  /**
   * The coverage together with l losses in every other rack, as many losses as there are parities;
   * the coverage alone, which has fewer patterns to verify; and the repair of racks by themselves.
   * Promises that the parameters make empty or redundant are left out.
   */
  @Override
  public List<Promise> promises() {
    List<Promise> promises = new ArrayList<>();
    int others = settings.n() - settings.m() - settings.e().size();
    if (settings.l() > 0 && others > 0) {
      promises.add(losses(settings.l()));
    }
    if (others < settings.n()) {
      promises.add(losses(0));
    }
    if (settings.l() > 0) {
      String blocks = settings.l() == 1 ? "block" : settings.l() + " blocks";
      promises.add(
          Promises.withinGroups("any " + blocks + " of a rack from that rack alone", groups()));
    }
    return List.copyOf(promises);
  }

  /** The coverage, and a number of losses in each remaining rack. */
  private Promise losses(int others) {
    int m = settings.m();
    List<Integer> e = settings.e();
    List<String> parts = new ArrayList<>();
    List<Integer> losses = new ArrayList<>(Collections.nCopies(m, settings.r()));
    losses.addAll(e);
    if (m > 0) {
      parts.add(m == 1 ? "any whole rack" : "any " + m + " whole racks");
    }
    if (!e.isEmpty()) {
      String blocks = e.equals(List.of(1)) ? " block" : " blocks";
      String which = e.size() == 1 ? "1 rack" : e.size() + " racks";
      parts.add("any " + list(e) + blocks + " of " + which + (m > 0 ? " more" : ""));
    }
    int left = settings.n() - losses.size();
    if (others > 0 && left > 0) {
      String which = left == settings.n() ? "each rack" : "each rack left";
      parts.add("any " + (others == 1 ? "1 block" : others + " blocks") + " of " + which);
    }
    losses.addAll(Collections.nCopies(left, others));
    return new RackLosses(String.join(", ", parts), stripe.racks(), losses);
  }

  private static String list(List<Integer> e) {
    String last = e.get(e.size() - 1).toString();
    return e.size() == 1
        ? last
        : e.subList(0, e.size() - 1).stream().map(String::valueOf).collect(Collectors.joining(", "))
            + " and "
            + last;
  }

  /** The schedules {@code upstairs} and {@code downstairs}. */
  @Override
  public List<Schedule> encodings() {
    List<Integer> parities = IntStream.range(k(), n()).boxed().toList();
    return List.of(upstairs(parities).orElseThrow(), downstairs(parities).orElseThrow());
  }

  /**
   * Rebuilds lost blocks upstairs: racks with up to l losses by themselves, rows with up to m lost
   * blocks by the row code, the rest through virtual rows.
   *
   * @param lost positions of the lost blocks; none of them is read
   * @return a schedule whose stored targets are the lost blocks; present for every loss within the
   *     coverage
   * @throws IllegalArgumentException when a position is outside the stripe
   */
  public Optional<Schedule> upstairs(List<Integer> lost) {
    return along(StairSchedule.Route.UPSTAIRS, lost);
  }

  /**
   * Rebuilds lost blocks downstairs: as {@link #upstairs}, but the rest through virtual columns.
   *
   * @param lost positions of the lost blocks; none of them is read
   * @return a schedule whose stored targets are the lost blocks; empty for some losses within the
   *     coverage, because it needs enough whole rows to start
   * @throws IllegalArgumentException when a position is outside the stripe
   */
  public Optional<Schedule> downstairs(List<Integer> lost) {
    return along(StairSchedule.Route.DOWNSTAIRS, lost);
  }

  private Optional<Schedule> along(StairSchedule.Route route, List<Integer> lost) {
    lost.forEach(block -> Checks.requirePosition(this, block));
    Set<Integer> blocks = new HashSet<>(lost);
    Set<Integer> cells = blocks.stream().map(stripe::cellOf).collect(Collectors.toSet());
    String name = route.name().toLowerCase(Locale.ROOT);
    return Arrays.stream(StairSchedule.Preference.values())
        .map(preference -> StairSchedule.along(route, stripe, blocks, preference))
        .flatMap(Optional::stream)
        .map(steps -> SchedulePruning.schedule(name, stripe, steps, cells))
        .min(Comparator.comparingInt(Schedule::terms));
  }
}
