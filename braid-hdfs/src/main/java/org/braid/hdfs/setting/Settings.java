package org.braid.hdfs.setting;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.text.similarity.LevenshteinDistance;
import org.apache.hadoop.conf.Configuration;
import org.braid.hdfs.setting.Setting.Kind;
import org.braid.hdfs.setting.Setting.Reader;
import org.braid.plan.schedule.RepairScheduler;
import org.braid.plan.schedule.RepairSchedulers;
import org.braid.plan.shape.RepairPlanner;
import org.braid.plan.shape.RepairPlanners;
import org.braid.plan.throttle.Throttle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All properties of Braid, and the check of a configuration's properties. */
public final class Settings {
  /** Prefix of the names of Braid's properties. */
  public static final String PREFIX = "braid.";

  private static final String READ_AHEAD_PIECE = "braid.client.read-ahead.piece";

  /** Less than this holds no slices of a fragment. */
  private static final long LEAST_WORKER_MEMORY = 64 << 10;

  private static final String REPAIR_SHARE = "braid.throttle.repair-share";
  private static final String CONVERSION_SHARE = "braid.throttle.conversion-share";

  /** All properties that Braid reads. */
  public static final List<Setting> ALL =
      Stream.of(nameNode(), shared(), dataNode(), repair(), daemon(), throttle(), client())
          .flatMap(settings -> settings)
          .toList();

  private static final Logger LOG = LoggerFactory.getLogger(Settings.class);

  /** What was logged already: each configuration is read many times in a process. */
  private static final Set<String> LOGGED = ConcurrentHashMap.newKeySet();

  /** A name is near another one that differs in at most this part of its letters. */
  private static final int NEAR = 3;

  private Settings() {}

  private static Stream<Setting> nameNode() {
    return Stream.of(
            all(
                Reader.NAME_NODE,
                Kind.CODE,
                Allowed.readBy(EarSetting::parse),
                EarSetting.DEFAULT_KEY),
            all(Reader.NAME_NODE, Kind.CODES, Allowed.ALL, "braid.codes.enabled"),
            all(Reader.NAME_NODE, Kind.SWITCH, Allowed.ALL, "braid.namenode.deferral.enabled"),
            all(
                Reader.NAME_NODE,
                Kind.TIME,
                Allowed.time(TimeUnit.MILLISECONDS, 1, 60_000),
                "braid.namenode.deferral.wait"),
            all(
                Reader.NAME_NODE,
                Kind.NUMBER,
                Allowed.atLeast(1),
                "braid.namenode.deferral.calls",
                "braid.namenode.deferral.calls-per-user"))
        .flatMap(settings -> settings);
  }

  private static Stream<Setting> shared() {
    return Stream.of(
            all(Reader.ALL, Kind.PORT, Allowed.ALL, "braid.heartbeat.port"),
            all(Reader.ALL, Kind.NUMBER, Allowed.atLeast(1), "braid.worker.stream.timeout"),
            all(Reader.ALL, Kind.BYTES, Allowed.atLeast(1), "braid.network.link"),
            all(Reader.ALL, Kind.BYTES, Allowed.atLeast(0), "braid.network.site-link"),
            all(
                Reader.ALL,
                Kind.RATIO,
                Allowed.ratio(1, Double.POSITIVE_INFINITY),
                "braid.network.oversubscription"))
        .flatMap(settings -> settings);
  }

  private static Stream<Setting> dataNode() {
    return Stream.of(
            all(Reader.DATA_NODE, Kind.PORT, Allowed.atLeast(0), "braid.worker.stream.port"),
            all(
                Reader.DATA_NODE,
                Kind.BYTES,
                Allowed.atLeast(LEAST_WORKER_MEMORY),
                "braid.worker.memory"),
            all(Reader.DATA_NODE, Kind.BYTES, Allowed.atLeast(0), "braid.worker.cache"),
            all(Reader.DATA_NODE, Kind.SWITCH, Allowed.ALL, "braid.worker.sync"),
            all(Reader.DATA_NODE, Kind.NUMBER, Allowed.atLeast(2), "braid.worker.fragments"),
            all(
                Reader.DATA_NODE,
                Kind.NUMBER,
                Allowed.atLeast(1),
                "braid.worker.fragments-per-user"))
        .flatMap(settings -> settings);
  }

  private static Stream<Setting> repair() {
    return Stream.of(
            all(
                Reader.COMMAND,
                Kind.TEXT,
                Allowed.names(RepairSchedulers.all().stream().map(RepairScheduler::name).toList()),
                "braid.repair.scheduler"),
            all(
                Reader.COMMAND,
                Kind.NUMBER,
                Allowed.atLeast(1),
                "braid.repair.per-node",
                "braid.repair.per-uplink"),
            all(Reader.COMMAND, Kind.NUMBER, Allowed.atLeast(-1), "braid.repair.urgent-spare"),
            all(Reader.COMMAND, Kind.TIME, Allowed.millis(0), "braid.repair.delay"),
            all(Reader.COMMAND, Kind.TIME, Allowed.millis(1), "braid.repair.timeout"))
        .flatMap(settings -> settings);
  }

  private static Stream<Setting> daemon() {
    return Stream.of(
            all(Reader.COMMAND, Kind.TIME, Allowed.millis(0), "braid.coordinator.lease-wait"),
            all(Reader.COMMAND, Kind.TIME, Allowed.millis(1000), "braid.daemon.cut-off-after"),
            all(Reader.COMMAND, Kind.SWITCH, Allowed.ALL, "braid.scrub.enabled"),
            all(Reader.COMMAND, Kind.TIME, Allowed.millis(1), "braid.scrub.period"),
            all(Reader.COMMAND, Kind.BYTES, Allowed.atLeast(0), "braid.scrub.rate"),
            all(
                Reader.COMMAND,
                Kind.TEXT,
                Allowed.ALL,
                "braid.keytab.file",
                "braid.kerberos.principal"))
        .flatMap(settings -> settings);
  }

  private static Stream<Setting> throttle() {
    return Stream.of(
            all(
                Reader.COMMAND,
                Kind.THROTTLE,
                Allowed.zeroOrAtLeast(Throttle.LEAST),
                "braid.throttle.node",
                "braid.throttle.disk",
                "braid.throttle.uplink",
                "braid.throttle.site",
                "braid.throttle.cluster"),
            all(
                Reader.COMMAND,
                Kind.RATIO,
                Allowed.ratio(0, 1)
                    .and(
                        Allowed.shareWith(
                            CONVERSION_SHARE, Throttle.REPAIR_SHARE, Throttle.CONVERSION_SHARE)),
                REPAIR_SHARE),
            all(
                Reader.COMMAND,
                Kind.RATIO,
                Allowed.ratio(0, 1)
                    .and(
                        Allowed.shareWith(
                            REPAIR_SHARE, Throttle.CONVERSION_SHARE, Throttle.REPAIR_SHARE)),
                CONVERSION_SHARE),
            all(
                Reader.COMMAND,
                Kind.TIME,
                Allowed.zeroOrTime(
                    TimeUnit.MICROSECONDS,
                    Throttle.LEAST_LATENCY_MICROS,
                    Throttle.MOST_LATENCY_MICROS),
                "braid.throttle.latency-target"))
        .flatMap(settings -> settings);
  }

  private static Stream<Setting> client() {
    return Stream.of(
            all(
                Reader.CLIENT,
                Kind.TEXT,
                Allowed.names(RepairPlanners.all().stream().map(RepairPlanner::name).toList()),
                "braid.client.degraded.shape"),
            all(Reader.CLIENT, Kind.TEXT, Allowed.readBy(Settings::rack), "braid.client.rack"),
            all(
                Reader.CLIENT,
                Kind.NUMBER,
                Allowed.within(1, 64),
                "braid.client.read-ahead.blocks"),
            all(Reader.CLIENT, Kind.NUMBER, Allowed.within(0, 8), "braid.client.degraded.hedges"),
            all(
                Reader.CLIENT,
                Kind.BYTES,
                Allowed.within(1, 1 << 30),
                READ_AHEAD_PIECE,
                "braid.client.degraded.slice",
                "braid.client.degraded.first-read",
                "braid.client.degraded.read-ahead"),
            all(Reader.CLIENT, Kind.BYTES, Allowed.atLeast(0), "braid.client.read-ahead.after"),
            all(
                Reader.CLIENT,
                Kind.BYTES,
                Allowed.atLeastOf(READ_AHEAD_PIECE, 1 << 20),
                "braid.client.read-ahead.memory"),
            all(Reader.CLIENT, Kind.BYTES, Allowed.atLeast(1), "braid.client.degraded.memory"),
            all(
                Reader.CLIENT,
                Kind.TIME,
                Allowed.millis(1),
                "braid.client.degraded.hedge-after",
                "braid.client.degraded.suspect-for"),
            all(Reader.CLIENT, Kind.TIME, Allowed.millis(0), "braid.client.lost-block.expiry"),
            all(
                Reader.CLIENT,
                Kind.TIME,
                Allowed.time(TimeUnit.MILLISECONDS, 1, Integer.MAX_VALUE),
                "braid.client.socket-timeout"))
        .flatMap(settings -> settings);
  }

  private static void rack(String rack) {
    if (!rack.startsWith("/")) {
      throw new IllegalArgumentException(
          "it is no network location as HDFS has them, such as /rack1");
    }
  }

  private static Stream<Setting> all(Reader reader, Kind kind, Allowed allowed, String... names) {
    return Arrays.stream(names).map(name -> new Setting(name, kind, allowed, reader));
  }

  /**
   * A problem in a configuration.
   *
   * @param property name of the property
   * @param value its value
   * @param source file or other source that sets it
   * @param problem the problem
   * @param remedy how to solve it
   * @param unknown whether there is no such property
   */
  public record Finding(
      String property,
      String value,
      String source,
      String problem,
      String remedy,
      boolean unknown) {
    /** One line for people. */
    public String line() {
      return "%s = \"%s\" (%s): %s; %s".formatted(property, value, source, problem, remedy);
    }
  }

  /** The problems of a configuration's Braid properties, by name. */
  public static List<Finding> findings(Configuration conf) {
    return findings(conf, EnumSet.allOf(Reader.class));
  }

  /** The problems of those properties that the readers read, and of unknown names. */
  public static List<Finding> findings(Configuration conf, Set<Reader> readers) {
    Map<String, Setting> known =
        ALL.stream().collect(Collectors.toMap(Setting::name, setting -> setting));
    List<Finding> findings = new ArrayList<>();
    new TreeMap<>(conf.getPropsWithPrefix(PREFIX))
        .forEach(
            (rest, value) -> {
              String name = PREFIX + rest;
              Setting setting = known.get(name);
              if (setting == null) {
                findings.add(unknown(conf, name, value));
              } else if (readers.contains(setting.reader())) {
                setting
                    .problem(conf)
                    .ifPresent(
                        problem ->
                            findings.add(
                                new Finding(
                                    name,
                                    value,
                                    source(conf, name),
                                    problem,
                                    "correct it, or remove it for the default",
                                    false)));
              }
            });
    return findings;
  }

  private static Finding unknown(Configuration conf, String name, String value) {
    String remedy =
        nearest(name, ALL.stream().map(Setting::name).toList())
            .map(near -> "did you mean " + near + "?")
            .orElse("remove it; docs/OPERATIONS.md lists all properties");
    return new Finding(name, value, source(conf, name), "Braid has no such property", remedy, true);
  }

  /**
   * The source of a configuration's property; for a configuration that was passed on, the original
   * source.
   */
  public static String source(Configuration conf, String name) {
    String[] sources = conf.getPropertySources(name);
    return sources == null || sources.length == 0 ? "default" : sources[0];
  }

  /** The closest name to a misspelt one; empty when none is close. */
  public static Optional<String> nearest(String name, Collection<String> names) {
    LevenshteinDistance distance = new LevenshteinDistance(Math.max(1, name.length() / NEAR));
    return names.stream()
        .filter(other -> distance.apply(name, other) >= 0)
        .min(Comparator.comparing(other -> distance.apply(name, other)));
  }

  /**
   * Checks the properties of a reader at its start, so that an invalid value does not fail later
   * work. Logs unknown properties of Braid.
   *
   * @throws IllegalArgumentException when a value is malformed, with property, value and source
   */
  public static void check(Configuration conf, Reader reader) {
    List<String> wrong = new ArrayList<>();
    for (Finding finding : findings(conf, EnumSet.of(reader, Reader.ALL))) {
      if (finding.unknown) {
        if (LOGGED.add(finding.line())) {
          LOG.warn("{}", finding.line());
        }
      } else {
        wrong.add(finding.line());
      }
    }
    if (!wrong.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", wrong));
    }
  }
}
