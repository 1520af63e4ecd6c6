package org.braid.hdfs.policy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A rule: the files that it takes, and how to store them.
 *
 * @param enabled whether it takes any file
 * @param owners their users; none: all
 * @param modified milliseconds since the last modification
 * @param accessed milliseconds since the last read or modification
 * @param conversion how it converts; present exactly for converting policies
 * @param window when its work is done; empty: always
 */
public record Policy(
    String name,
    boolean enabled,
    Action action,
    Glob path,
    Range size,
    Range blocks,
    List<String> owners,
    Range modified,
    Range accessed,
    Optional<Conversion> conversion,
    Optional<Window> window) {
  /** Names of settings, as options have them and as they are stored. */
  public static final List<String> SETTINGS =
      List.of(
          "path",
          "owner",
          "min-size",
          "max-size",
          "min-blocks",
          "max-blocks",
          "older-than",
          "modified-within",
          "unread-for",
          "read-within",
          "code",
          "placement",
          "group",
          "max-per-rack",
          "target-racks",
          "parity-copies",
          "window",
          "zone");

  private static final List<String> CONVERSION = SETTINGS.subList(10, 16);

  public Policy {
    owners = List.copyOf(owners);
    if (!name.matches("[a-z0-9][a-z0-9-]{0,39}")) {
      throw new IllegalArgumentException(
          "name \"%s\": up to 40 small letters, digits and hyphens are needed".formatted(name));
    }
    if (action == Action.LEAVE && window.isPresent()) {
      throw new IllegalArgumentException("leave does nothing: leave out window");
    }
  }

  /**
   * Reads a policy.
   *
   * @param settings values by {@link #SETTINGS}
   * @throws IllegalArgumentException when they are none, naming the setting
   */
  public static Policy of(
      String name, boolean enabled, Action action, Map<String, String> settings) {
    for (String key : settings.keySet()) {
      if (!SETTINGS.contains(key)) {
        throw new IllegalArgumentException("setting \"" + key + "\" is not known");
      }
      if (action != Action.CONVERT && CONVERSION.contains(key)) {
        throw new IllegalArgumentException(key + " is for policies that convert");
      }
    }
    String path = settings.get("path");
    if (path == null) {
      throw new IllegalArgumentException("path is missing: which files, as in /logs/**");
    }
    if (settings.containsKey("zone") && !settings.containsKey("window")) {
      throw new IllegalArgumentException("zone is for a window: when is the policy's work done?");
    }
    return new Policy(
        name,
        enabled,
        action,
        Glob.parse(path),
        range(settings, PolicyQuantity.SIZE, "min-size", "max-size", 1),
        range(settings, PolicyQuantity.COUNT, "min-blocks", "max-blocks", 1),
        owners(settings),
        range(settings, PolicyQuantity.TIME, "older-than", "modified-within", 0),
        range(settings, PolicyQuantity.TIME, "unread-for", "read-within", 0),
        action == Action.CONVERT ? Optional.of(conversion(settings)) : Optional.empty(),
        Optional.ofNullable(settings.get("window"))
            .map(hours -> Window.parse(hours, settings.getOrDefault("zone", "UTC"))));
  }

  private static List<String> owners(Map<String, String> settings) {
    String text = settings.get("owner");
    if (text == null) {
      return List.of();
    }
    List<String> owners = Stream.of(text.split(",", -1)).map(String::strip).toList();
    if (owners.contains("")) {
      throw new IllegalArgumentException(
          "owner: \"" + text + "\" is not a list of users, as in etl,hive");
    }
    return owners;
  }

  private static Range range(
      Map<String, String> settings,
      PolicyQuantity quantity,
      String least,
      String most,
      int inclusive) {
    long from = settings.containsKey(least) ? parse(settings, quantity, least) : 0;
    if (!settings.containsKey(most)) {
      return new Range(from, Long.MAX_VALUE);
    }
    long to = parse(settings, quantity, most) + inclusive;
    if (to == 0) {
      throw new IllegalArgumentException(
          "%s %s takes no file: a time above 0 is needed".formatted(most, settings.get(most)));
    }
    if (to <= from) {
      throw new IllegalArgumentException(
          "%s %s and %s %s: no file has both"
              .formatted(least, settings.get(least), most, settings.get(most)));
    }
    return new Range(from, to);
  }

  private static long parse(Map<String, String> settings, PolicyQuantity quantity, String key) {
    return quantity.parse(key, settings.getOrDefault(key, ""));
  }

  private static Conversion conversion(Map<String, String> settings) {
    String code = settings.get("code");
    if (code == null) {
      throw new IllegalArgumentException("code is missing: convert to which, as in rs-6-3");
    }
    return new Conversion(
        code,
        settings.getOrDefault("placement", Conversion.RACKS),
        settings.getOrDefault("group", "auto"),
        number(settings, "max-per-rack"),
        number(settings, "target-racks"),
        number(settings, "parity-copies").orElse(1));
  }

  private static OptionalInt number(Map<String, String> settings, String key) {
    String value = settings.get(key);
    if (value == null) {
      return OptionalInt.empty();
    }
    if (!value.matches("[1-9][0-9]{0,8}")) {
      throw new IllegalArgumentException(key + ": \"" + value + "\" is not a number of at least 1");
    }
    return OptionalInt.of(Integer.parseInt(value));
  }

  /** The settings of this policy, in the order of {@link #SETTINGS}. */
  public Map<String, String> settings() {
    Map<String, String> out = new TreeMap<>(Comparator.comparing(SETTINGS::indexOf));
    out.put("path", path.toString());
    if (!owners.isEmpty()) {
      out.put("owner", String.join(",", owners));
    }
    put(out, size, PolicyQuantity.SIZE, "min-size", "max-size", 1);
    put(out, blocks, PolicyQuantity.COUNT, "min-blocks", "max-blocks", 1);
    put(out, modified, PolicyQuantity.TIME, "older-than", "modified-within", 0);
    put(out, accessed, PolicyQuantity.TIME, "unread-for", "read-within", 0);
    conversion.ifPresent(
        how -> {
          out.put("code", how.code());
          out.put("placement", how.placement());
          out.put("group", how.group());
          how.perRack().ifPresent(c -> out.put("max-per-rack", "" + c));
          how.targetRacks().ifPresent(r -> out.put("target-racks", "" + r));
          out.put("parity-copies", "" + how.parityCopies());
        });
    window.ifPresent(
        when -> {
          out.put("window", when.hours());
          out.put("zone", when.zone().getId());
        });
    return new LinkedHashMap<>(out);
  }

  private static void put(
      Map<String, String> out,
      Range range,
      PolicyQuantity quantity,
      String least,
      String most,
      int inclusive) {
    if (range.least() > 0) {
      out.put(least, quantity.format(range.least()));
    }
    if (range.isBounded()) {
      out.put(most, quantity.format(range.below() - inclusive));
    }
  }

  /** The same, enabled. */
  public Policy enable() {
    return switched(true);
  }

  /** The same, disabled. */
  public Policy disable() {
    return switched(false);
  }

  private Policy switched(boolean on) {
    return new Policy(
        name, on, action, path, size, blocks, owners, modified, accessed, conversion, window);
  }

  /** The kind of its work, for pauses; without meaning for a policy that leaves files alone. */
  public Pausable pausable() {
    return action == Action.CONVERT ? Pausable.CONVERT : Pausable.RESTORE;
  }

  /**
   * Why its path can never match a file to convert or restore, in a sentence without its full stop.
   */
  Optional<String> inSnapshot() {
    return path.namesSnapshots()
        ? Optional.of(
            ("policy %s: path \"%s\" is in a snapshot, which cannot change: name it without"
                    + " .snapshot")
                .formatted(name, path))
        : Optional.empty();
  }

  /** The hidden directory for which it leaves a file alone; empty for none. */
  public Optional<String> hides(String file) {
    return action == Action.CONVERT
        ? HiddenDirectories.innermost(file).filter(directory -> !path.namesHidden(file))
        : Optional.empty();
  }

  /** Whether it depends on the last read of a file. */
  public boolean asksForReads() {
    return !accessed.isAll();
  }

  /** The ages since the last read that it depends on, in milliseconds, by setting. */
  Map<String, Long> accessAges() {
    Map<String, Long> ages = new LinkedHashMap<>();
    if (accessed.least() > 0) {
      ages.put("unread-for", accessed.least());
    }
    if (accessed.isBounded()) {
      ages.put("read-within", accessed.below());
    }
    return ages;
  }

  /** Whether it takes files of any age. */
  boolean isAgeless() {
    return modified.isAll() && accessed.isAll();
  }

  /** Whether both policies may take the same file at some age. */
  boolean meets(Policy other) {
    return size.overlaps(other.size)
        && blocks.overlaps(other.blocks)
        && (owners.isEmpty()
            || other.owners.isEmpty()
            || owners.stream().anyMatch(other.owners::contains))
        && path.overlaps(other.path);
  }

  /** Whether it takes a file at a moment. */
  public boolean takes(FileFacts file, Instant now) {
    return enabled && against(file, now).isEmpty();
  }

  /** Why it does not take a file at a moment; empty when it does. */
  Optional<String> against(FileFacts file, Instant now) {
    return Stream.<Function<FileFacts, Optional<String>>>of(
            this::againstIdentity,
            facts ->
                modified.against(
                    "it was modified %s ago", PolicyQuantity.TIME, age(facts.modified(), now)),
            facts -> againstReads(facts, now))
        .map(reason -> reason.apply(file))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private Optional<String> againstIdentity(FileFacts file) {
    if (!path.matches(file.path())) {
      return Optional.of("its path does not match " + path);
    }
    if (!owners.isEmpty() && !owners.contains(file.owner())) {
      return Optional.of("its owner is " + file.owner() + ", not " + String.join(" or ", owners));
    }
    return size.against("its size is %s", PolicyQuantity.SIZE, file.bytes())
        .or(
            () ->
                blocks.against("its number of blocks is %s", PolicyQuantity.COUNT, file.blocks()));
  }

  /**
   * Checks reads: to convert or restore, the age of a file must be certain; to leave it alone, it
   * may be possible.
   */
  private Optional<String> againstReads(FileFacts file, Instant now) {
    if (accessed.isAll()) {
      return Optional.empty();
    }
    ReadAge age = ReadAge.of(path, file, now);
    return action == Action.LEAVE ? age.againstPossibly(accessed) : age.againstSurely(accessed);
  }

  private static long age(Instant since, Instant now) {
    return Math.max(0, Duration.between(since, now).toMillis());
  }

  /** The moments at which the age of a file may change the decision. */
  List<Instant> moments(FileFacts file) {
    List<Instant> moments = new ArrayList<>();
    moments(modified, file.modified(), moments);
    file.accessed().ifPresent(since -> moments(accessed, since, moments));
    file.reads().since(path).ifPresent(since -> moments(accessed, since, moments));
    return moments;
  }

  private static void moments(Range ages, Instant since, List<Instant> moments) {
    moments.add(since.plusMillis(ages.least()));
    if (ages.isBounded()) {
      moments.add(since.plusMillis(ages.below()));
    }
  }
}
