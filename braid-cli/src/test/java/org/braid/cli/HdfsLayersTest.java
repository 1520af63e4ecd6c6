package org.braid.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The packages of {@code braid-hdfs} know only those before them, and stripes have one model. */
final class HdfsLayersTest {
  private static final String ROOT = "org.braid.hdfs.";

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("org.braid.hdfs");

  /** By package, the packages that it may know. */
  private static final Map<String, List<String>> KNOWS = new LinkedHashMap<>();

  static {
    KNOWS.put("proto", List.of());
    KNOWS.put("time", List.of());
    KNOWS.put("failure", List.of());
    KNOWS.put("hadoop", List.of());
    KNOWS.put("setting", List.of("failure"));
    KNOWS.put("metrics", List.of());
    KNOWS.put("policy", List.of());
    KNOWS.put("api", List.of("time", "policy"));
    KNOWS.put("fault", List.of());
    KNOWS.put("stripe", List.of("proto"));
    KNOWS.put("rpc", List.of("proto", "time", "failure", "stripe"));
    KNOWS.put("dispatch", List.of("proto", "api", "time", "failure", "setting", "stripe", "rpc"));
    KNOWS.put("engine", List.of("proto", "metrics", "stripe", "rpc", "dispatch"));
    KNOWS.put("datanode.limits", List.of("proto", "setting", "stripe", "rpc"));
    KNOWS.put("datanode.scrub", List.of("proto", "time", "failure"));
    KNOWS.put("datanode.volume", List.of());
    KNOWS.put("datanode.peers", List.of("proto", "stripe", "rpc", "dispatch", "datanode.limits"));
    KNOWS.put(
        "datanode",
        List.of(
            "proto",
            "time",
            "failure",
            "hadoop",
            "setting",
            "metrics",
            "fault",
            "stripe",
            "rpc",
            "dispatch",
            "datanode.limits",
            "datanode.peers",
            "datanode.scrub",
            "datanode.volume"));
    KNOWS.put("namenode.lock", List.of());
    KNOWS.put(
        "namenode.host", List.of("proto", "time", "metrics", "stripe", "rpc", "namenode.lock"));
    KNOWS.put("namenode.lease", List.of());
    KNOWS.put("namenode.writes", List.of("namenode.host"));
    KNOWS.put("namenode.moves", List.of("stripe", "namenode.host", "namenode.stripes"));
    KNOWS.put("namenode.files", List.of("proto", "setting", "stripe", "rpc", "namenode.host"));
    KNOWS.put(
        "namenode.stripes",
        List.of(
            "proto",
            "time",
            "failure",
            "metrics",
            "fault",
            "stripe",
            "rpc",
            "namenode.host",
            "namenode.files",
            "namenode.writes"));
    KNOWS.put(
        "namenode.sound",
        List.of("proto", "stripe", "rpc", "namenode.host", "namenode.files", "namenode.stripes"));
    KNOWS.put(
        "namenode.view",
        List.of(
            "proto",
            "metrics",
            "stripe",
            "rpc",
            "namenode.host",
            "namenode.stripes",
            "namenode.sound"));
    KNOWS.put(
        "namenode.ear",
        List.of(
            "proto", "setting", "stripe", "namenode.host", "namenode.files", "namenode.stripes"));
    KNOWS.put(
        "namenode.deferral",
        List.of(
            "proto",
            "stripe",
            "rpc",
            "namenode.host",
            "namenode.lease",
            "namenode.writes",
            "namenode.stripes"));
    KNOWS.put(
        "namenode.page",
        List.of(
            "api",
            "setting",
            "metrics",
            "policy",
            "rpc",
            "namenode.host",
            "namenode.lease",
            "namenode.stripes",
            "namenode.view",
            "namenode.deferral"));
    KNOWS.put(
        "namenode",
        List.of(
            "proto",
            "time",
            "hadoop",
            "setting",
            "metrics",
            "fault",
            "stripe",
            "rpc",
            "namenode.host",
            "namenode.lease",
            "namenode.writes",
            "namenode.files",
            "namenode.stripes",
            "namenode.view",
            "namenode.sound",
            "namenode.ear",
            "namenode.deferral",
            "namenode.page"));
    KNOWS.put(
        "coordinator.throttle",
        List.of("proto", "api", "time", "metrics", "stripe", "rpc", "dispatch"));
    KNOWS.put(
        "coordinator.session",
        List.of(
            "proto",
            "api",
            "time",
            "metrics",
            "fault",
            "stripe",
            "rpc",
            "dispatch",
            "engine",
            "coordinator.throttle"));
    KNOWS.put(
        "coordinator.convert",
        List.of(
            "failure",
            "proto",
            "policy",
            "api",
            "metrics",
            "fault",
            "stripe",
            "rpc",
            "dispatch",
            "engine",
            "coordinator.throttle",
            "coordinator.session"));
    KNOWS.put(
        "coordinator.repair",
        List.of(
            "proto",
            "api",
            "metrics",
            "fault",
            "time",
            "stripe",
            "rpc",
            "dispatch",
            "engine",
            "coordinator.throttle",
            "coordinator.session"));
    KNOWS.put(
        "coordinator.scrub",
        List.of("proto", "time", "api", "stripe", "rpc", "dispatch", "coordinator.session"));
    KNOWS.put(
        "coordinator.policy",
        List.of(
            "proto",
            "time",
            "policy",
            "api",
            "metrics",
            "stripe",
            "rpc",
            "dispatch",
            "coordinator.session",
            "coordinator.convert"));
    KNOWS.put(
        "coordinator.view",
        List.of(
            "proto",
            "policy",
            "api",
            "stripe",
            "rpc",
            "dispatch",
            "coordinator.session",
            "coordinator.convert"));
    KNOWS.put(
        "coordinator.check",
        List.of(
            "failure",
            "proto",
            "policy",
            "api",
            "setting",
            "stripe",
            "rpc",
            "dispatch",
            "coordinator.session",
            "coordinator.convert",
            "coordinator.policy"));
    KNOWS.put(
        "coordinator",
        List.of(
            "proto",
            "policy",
            "api",
            "time",
            "metrics",
            "stripe",
            "rpc",
            "dispatch",
            "coordinator.throttle",
            "coordinator.session",
            "coordinator.convert",
            "coordinator.repair",
            "coordinator.scrub",
            "coordinator.policy",
            "coordinator.view"));
    KNOWS.put("client.statistics", List.of());
    KNOWS.put("client.readahead", List.of("client.statistics"));
    KNOWS.put(
        "client.degraded",
        List.of("proto", "stripe", "rpc", "dispatch", "engine", "client.statistics"));
    KNOWS.put(
        "client",
        List.of(
            "proto",
            "setting",
            "stripe",
            "rpc",
            "dispatch",
            "engine",
            "client.statistics",
            "client.readahead",
            "client.degraded"));
  }

  /** What tells the time of day, by class. */
  private static final Map<String, List<String>> TIME_OF_DAY =
      Map.of(
          "java.lang.System", List.of("currentTimeMillis"),
          "org.apache.hadoop.util.Time", List.of("now"),
          "java.time.Instant", List.of("now"),
          "java.time.InstantSource", List.of("system"),
          "java.time.Clock", List.of("system", "systemUTC", "systemDefaultZone"),
          "java.time.LocalDateTime", List.of("now"),
          "java.time.ZonedDateTime", List.of("now"),
          "java.util.Date", List.of("<init>"));

  private static final Set<String> ABOUT_DATES =
      Set.of(
          "namenode.BraidNameNodePlugin", // when the scrub of all was
          "coordinator.Coordinator", // ages of files, hours and pauses in policies
          "coordinator.Watcher", // a pause ends at a date
          "coordinator.check.Inspection", // clocks of daemons side by side
          "namenode.stripes.ParityFiles"); // when a directory was modified

  @Test
  void packagesKnowOnlyThoseBefore() {
    LayeredArchitecture layers =
        layeredArchitecture()
            .consideringOnlyDependenciesInAnyPackage(
                ROOT + "proto",
                KNOWS.keySet().stream().map(name -> ROOT + name).toArray(String[]::new));
    for (String name : KNOWS.keySet()) {
      layers = layers.layer(name).definedBy(ROOT + name);
    }
    for (Map.Entry<String, List<String>> entry : KNOWS.entrySet()) {
      layers =
          entry.getValue().isEmpty()
              ? layers.whereLayer(entry.getKey()).mayNotAccessAnyLayer()
              : layers
                  .whereLayer(entry.getKey())
                  .mayOnlyAccessLayers(entry.getValue().toArray(String[]::new));
    }
    layers.check(CLASSES);
  }

  /**
   * The wire's and the attribute's form of a stripe is turned into the model by its codec alone.
   */
  @Test
  void onlyTheCodecOpensTheMessagesOfStripes() {
    for (String message : List.of("Stripe", "Member", "MemberStatus", "BlockStatus", "Replica")) {
      String name = ROOT + "proto.BraidProtos$" + message + "Proto";
      assertTrue(CLASSES.contain(name), name);
      noClasses()
          .that()
          .resideOutsideOfPackages(ROOT + "proto..", ROOT + "stripe..")
          .should()
          .callMethodWhere(
              JavaCall.Predicates.target(
                  With.owner(JavaClass.Predicates.equivalentTo(typeOf(name)))))
          .check(CLASSES);
    }
  }

  /**
   * What is stepped, forwards or backwards, must not end leases, call nodes silent, or keep readers
   * waiting: all that takes time is measured by a clock that only advances.
   */
  @Test
  void theTimeOfDayIsAskedForByWhatIsAboutDatesAlone() {
    Map<String, List<String>> askers = new TreeMap<>();
    for (JavaClass type : CLASSES) {
      for (JavaAccess<?> access : type.getAccessesFromSelf()) {
        String owner = access.getTargetOwner().getName();
        String name = access.getName();
        if (TIME_OF_DAY.getOrDefault(owner, List.of()).contains(name)) {
          askers
              .computeIfAbsent(type.getName().substring(ROOT.length()), x -> new ArrayList<>())
              .add(owner + "." + name);
        }
      }
    }
    assertEquals(ABOUT_DATES, askers.keySet(), askers.toString());
  }

  private static Class<?> typeOf(String name) {
    try {
      return Class.forName(name, false, HdfsLayersTest.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }
}
