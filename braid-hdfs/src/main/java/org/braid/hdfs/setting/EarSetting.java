package org.braid.hdfs.setting;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.braid.placement.replication.BlockPlacer;
import org.braid.placement.replication.ReplicaLayout;
import org.braid.placement.replication.ReplicationPolicies;
import org.braid.placement.replication.ReplicationPolicy;
import org.braid.placement.rule.StripeRule;
import org.braid.placement.rule.StripeRules;
import org.braid.placement.rule.TargetRacks;
import org.braid.placement.site.SitePolicies;
import org.braid.placement.site.SitePolicy;
import org.braid.placement.site.SiteRules;

/**
 * The setting of encoding-aware replication of a directory, or the default in the NameNode's
 * configuration. Its form is {@code CODE}, followed by any of {@code c=N}, {@code racks=N}, {@code
 * placement=NAME}, {@code across}, {@code policy=NAME} and {@code layout=NAME}, separated by
 * commas.
 *
 * @param code code of the files' later encoding
 * @param perRack maximum number of a stripe's blocks in a rack; empty for the lowest possible
 * @param targetRacks R', number of racks that a stripe may use (EAR section 3.4); empty for all
 * @param sites policy over sites of the later conversion; empty for racks only
 * @param across whether stripes go across files
 * @param policy policy that places replicas
 * @param layout how the replicas of a block are spread over racks
 */
public record EarSetting(
    ErasureCode code,
    OptionalInt perRack,
    OptionalInt targetRacks,
    Optional<SitePolicy> sites,
    boolean across,
    ReplicationPolicy policy,
    ReplicaLayout layout) {
  /** Property of the NameNode: the setting of all directories without their own. */
  public static final String DEFAULT_KEY = "braid.ear.default";

  private static final String FORM =
      "\"%s\" is not of the form CODE or CODE,c=N,racks=N,placement=NAME,across,policy=NAME,"
          + "layout=NAME, with all behind the code optional, such as rs-10-4,c=1: %s";
  private static final int MOST_CHARACTERS = 200;
  private static final String ACROSS = "across";
  private static final String PLACEMENT = "placement";

  /** The placement that looks at racks only. */
  private static final String RACKS = "racks";

  private static final Set<String> KEYS =
      Set.of("c", "racks", PLACEMENT, ACROSS, "policy", "layout");

  /**
   * Parses a setting.
   *
   * @throws IllegalArgumentException when it is malformed, with the form of settings
   */
  public static EarSetting parse(String text) {
    String name = code(text);
    List<String> parts = Arrays.stream(text.split(",", -1)).map(String::strip).toList();
    Map<String, String> options = new HashMap<>();
    for (String part : parts.subList(1, parts.size())) {
      int equals = part.indexOf('=');
      String key = equals < 0 ? part : part.substring(0, equals).strip();
      boolean known = KEYS.contains(key) && key.equals(ACROSS) == (equals < 0);
      if (!known || options.put(key, part.substring(equals + 1).strip()) != null) {
        throw new IllegalArgumentException(
            FORM.formatted(text, "\"" + part + (known ? "\" stands twice" : "\" is no option")));
      }
    }
    ErasureCode code = Codes.named(name);
    if (options.containsKey(ACROSS) && !StripeRules.columns(code).isEmpty()) {
      throw new IllegalArgumentException(
          code.name() + " gives each block of a stripe its rack: its stripes stay within files");
    }
    String layout = options.getOrDefault("layout", ReplicaLayout.HDFS.label());
    EarSetting setting =
        new EarSetting(
            code,
            number(text, options, "c"),
            number(text, options, "racks"),
            sites(options.getOrDefault(PLACEMENT, RACKS)),
            options.containsKey(ACROSS),
            policy(options.getOrDefault("policy", ReplicationPolicies.EAR.name())),
            ReplicaLayout.named(layout));
    setting.checkSites();
    return setting;
  }

  /**
   * The name of a setting's code, without creating the code.
   *
   * @throws IllegalArgumentException when the setting does not begin with a code
   */
  public static String code(String text) {
    if (text.length() > MOST_CHARACTERS || !text.matches("\\P{Cntrl}*")) {
      throw new IllegalArgumentException(
          "a setting of %d characters: at most %d, all of which can be printed, are read"
              .formatted(text.length(), MOST_CHARACTERS));
    }
    String name = text.split(",", 2)[0].strip();
    if (!name.matches("[A-Za-z0-9.-]+")) {
      throw new IllegalArgumentException(FORM.formatted(text, "it begins with no code"));
    }
    return name;
  }

  private static ReplicationPolicy policy(String name) {
    ReplicationPolicy policy = ReplicationPolicies.named(name);
    policy
        .studiesOnly()
        .ifPresent(
            reason -> {
              throw new IllegalArgumentException(
                  "policy=%s is for studies only, as %s: use policy=%s"
                      .formatted(name, reason, ReplicationPolicies.EAR.name()));
            });
    return policy;
  }

  private static Optional<SitePolicy> sites(String placement) {
    if (placement.equals(RACKS)) {
      return Optional.empty();
    }
    SitePolicy sites =
        Stream.of(SitePolicies.EVEN, SitePolicies.CODE_AWARE)
            .filter(policy -> policy.name().equals(placement))
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "unknown placement \"%s\"; known: %s, %s, %s"
                            .formatted(
                                placement,
                                RACKS,
                                SitePolicies.EVEN.name(),
                                SitePolicies.CODE_AWARE.name())));
    return Optional.of(sites);
  }

  private void checkSites() {
    if (sites.isEmpty()) {
      return;
    }
    String placement = PLACEMENT + "=" + sites.get().name();
    if (targetRacks.isPresent()) {
      throw new IllegalArgumentException(
          placement + " chooses racks itself: leave out racks=" + targetRacks.getAsInt());
    }
    if (policy != ReplicationPolicies.EAR) {
      throw new IllegalArgumentException(
          "%s is kept by policy=%s only: leave out policy=%s"
              .formatted(placement, ReplicationPolicies.EAR.name(), policy.name()));
    }
    int columns = StripeRules.columns(code).size();
    if (columns > 0) {
      throw new IllegalArgumentException(
          "%s keeps its %d columns in racks of their own, which leaves sites no choice: leave out %s"
              .formatted(code.name(), columns, placement));
    }
  }

  /**
   * The name of a setting's code if the setting has stripes across files, without creating the
   * code.
   */
  public static Optional<String> acrossFor(String text) {
    List<String> parts = Arrays.stream(text.split(",", -1)).map(String::strip).toList();
    return parts.contains(ACROSS) ? Optional.of(parts.get(0)) : Optional.empty();
  }

  private static OptionalInt number(String text, Map<String, String> options, String key) {
    String value = options.get(key);
    if (value == null) {
      return OptionalInt.empty();
    }
    if (!value.matches("[1-9]\\d{0,8}")) {
      throw new IllegalArgumentException(
          FORM.formatted(text, "\"" + value + "\" is not a number of at least 1"));
    }
    return OptionalInt.of(Integer.parseInt(value));
  }

  /**
   * The rule for the blocks of a stripe after encoding.
   *
   * @param inService nodes that may get blocks
   * @param stripe a number of the stripe, which determines its target racks
   * @throws PlacementException when the code does not fit
   */
  public StripeRule rule(EligibleNodes inService, long stripe) {
    if (sites.isPresent()) {
      return SiteRules.on(code, sites.get(), perRack, inService);
    }
    if (targetRacks.isEmpty()) {
      return StripeRules.on(code, perRack, inService);
    }
    int racks = targetRacks.getAsInt();
    List<List<Integer>> columns = StripeRules.columns(code); // of which each needs a whole rack
    int rows = columns.stream().mapToInt(List::size).max().orElse(0);
    Set<Integer> targets =
        TargetRacks.random(
            inService,
            racks,
            new TargetRacks.Need(
                rows == 0 ? perRack.orElse((code.n() + racks - 1) / racks) : rows,
                rows == 0 ? code.n() : columns.size() * rows,
                rows > 0),
            new SplittableRandom(stripe));
    return StripeRules.on(code, perRack, targets, inService);
  }

  /** The placer of replicas under a rule from {@link #rule}. */
  public BlockPlacer placer(StripeRule rule) {
    return policy.placer(rule, layout);
  }
}
