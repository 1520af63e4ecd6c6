package org.braid.hdfs.setting;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.text.similarity.LevenshteinDistance;
import org.apache.hadoop.conf.Configuration;
import org.braid.hdfs.setting.Setting.Kind;
import org.braid.hdfs.setting.Setting.Reader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All properties of Braid, and what is wrong with those that a configuration sets. */
public final class Settings {
  /** What the names of Braid's properties begin with. */
  public static final String PREFIX = "braid.";

  /** All properties that Braid reads. */
  public static final List<Setting> ALL =
      Stream.of(
              all(Reader.NAME_NODE, Kind.CODE, "braid.ear.default"),
              all(Reader.NAME_NODE, Kind.CODES, "braid.codes.enabled"),
              all(Reader.NAME_NODE, Kind.SWITCH, "braid.namenode.deferral.enabled"),
              all(Reader.NAME_NODE, Kind.TIME, "braid.namenode.deferral.wait"),
              all(
                  Reader.NAME_NODE,
                  Kind.NUMBER,
                  "braid.namenode.deferral.calls",
                  "braid.namenode.deferral.calls-per-user"),
              all(Reader.ALL, Kind.PORT, "braid.heartbeat.port"),
              all(Reader.ALL, Kind.NUMBER, "braid.worker.stream.timeout"),
              all(Reader.DATA_NODE, Kind.PORT, "braid.worker.stream.port"),
              all(Reader.DATA_NODE, Kind.BYTES, "braid.worker.memory", "braid.worker.cache"),
              all(Reader.DATA_NODE, Kind.SWITCH, "braid.worker.sync"),
              all(
                  Reader.DATA_NODE,
                  Kind.NUMBER,
                  "braid.worker.fragments",
                  "braid.worker.fragments-per-user"),
              all(
                  Reader.COMMAND,
                  Kind.TIME,
                  "braid.coordinator.lease-wait",
                  "braid.daemon.cut-off-after",
                  "braid.repair.delay",
                  "braid.repair.timeout",
                  "braid.scrub.period"),
              all(Reader.COMMAND, Kind.SWITCH, "braid.scrub.enabled"),
              all(Reader.COMMAND, Kind.BYTES, "braid.scrub.rate"),
              all(
                  Reader.COMMAND,
                  Kind.NUMBER,
                  "braid.repair.per-node",
                  "braid.repair.per-uplink",
                  "braid.repair.urgent-spare"),
              all(
                  Reader.COMMAND,
                  Kind.TEXT,
                  "braid.repair.scheduler",
                  "braid.keytab.file",
                  "braid.kerberos.principal"),
              all(
                  Reader.COMMAND,
                  Kind.THROTTLE,
                  "braid.throttle.node",
                  "braid.throttle.disk",
                  "braid.throttle.uplink",
                  "braid.throttle.site",
                  "braid.throttle.cluster"),
              all(
                  Reader.COMMAND,
                  Kind.RATIO,
                  "braid.throttle.repair-share",
                  "braid.throttle.conversion-share"),
              all(Reader.COMMAND, Kind.TIME, "braid.throttle.latency-target"),
              all(Reader.ALL, Kind.BYTES, "braid.network.link", "braid.network.site-link"),
              all(Reader.ALL, Kind.RATIO, "braid.network.oversubscription"),
              all(
                  Reader.CLIENT,
                  Kind.NUMBER,
                  "braid.client.read-ahead.blocks",
                  "braid.client.degraded.hedges"),
              all(
                  Reader.CLIENT,
                  Kind.BYTES,
                  "braid.client.read-ahead.memory",
                  "braid.client.read-ahead.piece",
                  "braid.client.read-ahead.after",
                  "braid.client.degraded.slice",
                  "braid.client.degraded.first-read",
                  "braid.client.degraded.read-ahead",
                  "braid.client.degraded.memory"),
              all(
                  Reader.CLIENT,
                  Kind.TIME,
                  "braid.client.degraded.hedge-after",
                  "braid.client.degraded.suspect-for",
                  "braid.client.lost-block.expiry",
                  "braid.client.socket-timeout"),
              all(Reader.CLIENT, Kind.TEXT, "braid.client.degraded.shape", "braid.client.rack"))
          .flatMap(settings -> settings)
          .toList();

  private static final Logger LOG = LoggerFactory.getLogger(Settings.class);

  /** What was logged already: each configuration is read many times in a process. */
  private static final Set<String> LOGGED = ConcurrentHashMap.newKeySet();

  /** A name is near another one that differs in at most this part of its letters. */
  private static final int NEAR = 3;

  private Settings() {}

  private static Stream<Setting> all(Reader reader, Kind kind, String... names) {
    return Arrays.stream(names).map(name -> new Setting(name, kind, reader));
  }

  /**
   * Something wrong in a configuration.
   *
   * @param property its name
   * @param value its value
   * @param source the file that sets it, or what else did
   * @param problem what is wrong
   * @param remedy what to do
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

  /** What is wrong with the properties of Braid that a configuration sets, by name. */
  public static List<Finding> findings(Configuration conf) {
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
              } else {
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

  /** Where a configuration has a property from; of one that was passed on, where it was set. */
  public static String source(Configuration conf, String name) {
    String[] sources = conf.getPropertySources(name);
    return sources == null || sources.length == 0 ? "default" : sources[0];
  }

  /** The name that a misspelt one is nearest to; empty when none is near. */
  public static Optional<String> nearest(String name, Collection<String> names) {
    LevenshteinDistance distance = new LevenshteinDistance(Math.max(1, name.length() / NEAR));
    return names.stream()
        .filter(other -> distance.apply(name, other) >= 0)
        .min(Comparator.comparing(other -> distance.apply(name, other)));
  }

  /**
   * Checks the properties that someone reads: at its start, so that no value is met as a failure of
   * some later work. Properties that Braid does not have are logged.
   *
   * @throws IllegalArgumentException when a value is malformed, naming property, value and source
   */
  public static void check(Configuration conf, Reader reader) {
    List<String> wrong = new ArrayList<>();
    for (Finding finding : findings(conf)) {
      if (finding.unknown) {
        if (LOGGED.add(finding.line())) {
          LOG.warn("{}", finding.line());
        }
      } else if (reads(reader, finding.property)) {
        wrong.add(finding.line());
      }
    }
    if (!wrong.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", wrong));
    }
  }

  private static boolean reads(Reader reader, String name) {
    return ALL.stream()
        .filter(setting -> setting.name().equals(name))
        .anyMatch(setting -> setting.reader() == reader || setting.reader() == Reader.ALL);
  }
}
