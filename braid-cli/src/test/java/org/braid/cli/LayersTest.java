package org.braid.cli;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Each module knows only those before it, and Hadoop stays in one of them and its test kit. */
final class LayersTest {
  private static final String[] PURE = {
    "org.braid.code..",
    "org.braid.kernel..",
    "org.braid.placement..",
    "org.braid.plan..",
    "org.braid.sim.failure..",
    "org.braid.sim.time..",
    "org.braid.sim.net..",
    "org.braid.sim.run..",
    "org.braid.sim.load..",
    "org.braid.sim.durability..",
    "org.braid.sim.advise.."
  };

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("org.braid");

  @Test
  void everyModuleIsSeen() {
    for (String name :
        new String[] {
          "code.Codes",
          "kernel.Kernels",
          "codec.Program",
          "shard.decode.ShardDecoder",
          "placement.Topology",
          "plan.Plan",
          "engine.FragmentRunner",
          "experiment.Experiment",
          "hdfs.api.Cluster",
          "hdfs.testkit.embedded.EmbeddedHdfs",
          "lab.Lab",
          "cli.Main"
        }) {
      assertTrue(CLASSES.contain("org.braid." + name), name);
    }
  }

  @Test
  void modulesKnowOnlyThoseBefore() {
    layeredArchitecture()
        .consideringOnlyDependenciesInAnyPackage("org.braid..")
        .layer("testing")
        .definedBy("org.braid.testing..")
        .layer("thread")
        .definedBy("org.braid.thread..")
        .layer("code")
        .definedBy("org.braid.code..")
        .layer("kernel")
        .definedBy("org.braid.kernel..")
        .layer("codec")
        .definedBy("org.braid.codec..")
        .layer("shard")
        .definedBy("org.braid.shard..")
        .layer("placement")
        .definedBy("org.braid.placement..")
        .layer("plan")
        .definedBy("org.braid.plan..")
        .layer("engine")
        .definedBy("org.braid.engine..")
        .layer("experiment")
        .definedBy("org.braid.experiment..")
        .layer("sim")
        .definedBy("org.braid.sim..")
        .layer("hdfs")
        .definedBy(
            resideInAPackage("org.braid.hdfs..")
                .and(resideOutsideOfPackage("org.braid.hdfs.testkit..")))
        .layer("testkit")
        .definedBy("org.braid.hdfs.testkit..")
        .layer("lab")
        .definedBy("org.braid.lab..")
        .layer("cli")
        .definedBy("org.braid.cli..")
        .whereLayer("testing")
        .mayNotAccessAnyLayer()
        .whereLayer("thread")
        .mayNotAccessAnyLayer()
        .whereLayer("code")
        .mayNotAccessAnyLayer()
        .whereLayer("kernel")
        .mayOnlyAccessLayers("code")
        .whereLayer("codec")
        .mayOnlyAccessLayers("code", "kernel")
        .whereLayer("shard")
        .mayOnlyAccessLayers("thread", "code", "kernel", "codec")
        .whereLayer("placement")
        .mayOnlyAccessLayers("code")
        .whereLayer("plan")
        .mayOnlyAccessLayers("code", "placement")
        .whereLayer("engine")
        .mayOnlyAccessLayers("thread", "code", "kernel", "placement", "plan")
        .whereLayer("experiment")
        .mayNotAccessAnyLayer()
        .whereLayer("sim")
        .mayOnlyAccessLayers("code", "kernel", "codec", "placement", "plan", "engine", "experiment")
        .whereLayer("hdfs")
        .mayOnlyAccessLayers("thread", "code", "kernel", "codec", "placement", "plan", "engine")
        .whereLayer("testkit")
        .mayOnlyAccessLayers(
            "thread", "code", "kernel", "codec", "placement", "plan", "engine", "hdfs")
        .whereLayer("lab")
        .mayOnlyAccessLayers(
            "thread",
            "code",
            "kernel",
            "codec",
            "placement",
            "plan",
            "engine",
            "experiment",
            "hdfs",
            "testkit")
        .check(CLASSES);
  }

  @Test
  void placementPackagesKnowOnlyThoseBefore() {
    layeredArchitecture()
        .consideringOnlyDependenciesInAnyPackage("org.braid.placement..")
        .layer("cluster")
        .definedBy("org.braid.placement")
        .layer("flow")
        .definedBy("org.braid.placement.flow")
        .layer("rule")
        .definedBy("org.braid.placement.rule")
        .layer("lrc")
        .definedBy("org.braid.placement.lrc")
        .layer("site")
        .definedBy("org.braid.placement.site")
        .layer("balance")
        .definedBy("org.braid.placement.balance")
        .layer("replication")
        .definedBy("org.braid.placement.replication")
        .layer("grouping")
        .definedBy("org.braid.placement.grouping")
        .layer("study")
        .definedBy("org.braid.placement.study")
        .whereLayer("cluster")
        .mayNotAccessAnyLayer()
        .whereLayer("flow")
        .mayOnlyAccessLayers("cluster")
        .whereLayer("rule")
        .mayOnlyAccessLayers("cluster", "flow")
        .whereLayer("lrc")
        .mayOnlyAccessLayers("cluster", "flow", "rule")
        .whereLayer("site")
        .mayOnlyAccessLayers("cluster", "flow", "rule")
        .whereLayer("balance")
        .mayOnlyAccessLayers("cluster", "flow", "rule")
        .whereLayer("replication")
        .mayOnlyAccessLayers("cluster", "flow", "rule", "lrc")
        .whereLayer("grouping")
        .mayOnlyAccessLayers("cluster", "flow", "rule", "replication")
        .whereLayer("study")
        .mayOnlyAccessLayers("cluster", "flow", "rule", "replication")
        .check(CLASSES);
  }

  @Test
  void hadoopIsKnownToOneModuleAndItsTestKit() {
    noClasses()
        .that()
        .resideOutsideOfPackage("org.braid.hdfs..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.apache.hadoop..")
        .check(CLASSES);
  }

  @Test
  void codesPlacementsPlansAndSimulationsHaveNoClockThreadsOrHiddenRandomness() {
    noClasses()
        .that()
        .resideInAnyPackage(PURE)
        .should()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(Math.class, "random")
        .orShould()
        .callConstructor(Random.class)
        .orShould()
        .dependOnClassesThat()
        .belongToAnyOf(
            Thread.class,
            java.util.Timer.class,
            java.util.UUID.class,
            java.security.SecureRandom.class,
            java.util.concurrent.Executor.class,
            java.util.concurrent.ThreadLocalRandom.class,
            java.time.Clock.class,
            java.time.Instant.class)
        .check(CLASSES);
  }

  @Test
  void noCommandKnowsTheProgram() {
    noClasses()
        .that()
        .resideInAPackage("org.braid.cli.*..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.braid.cli")
        .check(CLASSES);
  }

  @Test
  void plansAndFragmentsKnowNothingThatIsBuiltOnThem() {
    for (String noun : new String[] {"org.braid.plan", "org.braid.engine"}) {
      noClasses()
          .that()
          .resideInAPackage(noun)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(noun + ".*..")
          .check(CLASSES);
    }
  }

  @Test
  void partsOfTheClientDoNotKnowTheClient() {
    noClasses()
        .that()
        .resideInAPackage("org.braid.hdfs.client.*..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.braid.hdfs.client")
        .check(CLASSES);
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching("org.braid.(*)..").should().beFreeOfCycles().check(CLASSES);
    slices().matching("org.braid.placement.(*)..").should().beFreeOfCycles().check(CLASSES);
    slices().matching("org.braid.plan.(*)..").should().beFreeOfCycles().check(CLASSES);
    slices().matching("org.braid.engine.(*)..").should().beFreeOfCycles().check(CLASSES);
    slices().matching("org.braid.experiment.(*)..").should().beFreeOfCycles().check(CLASSES);
    slices().matching("org.braid.shard.(*)..").should().beFreeOfCycles().check(CLASSES);
    slices().matching("org.braid.hdfs.(*)..").should().beFreeOfCycles().check(CLASSES);
    slices().matching("org.braid.hdfs.client.(*)..").should().beFreeOfCycles().check(CLASSES);
    slices().matching("org.braid.hdfs.testkit.(*)..").should().beFreeOfCycles().check(CLASSES);
    slices().matching("org.braid.sim.(*)..").should().beFreeOfCycles().check(CLASSES);
    slices().matching("org.braid.lab.(*)..").should().beFreeOfCycles().check(CLASSES);
    slices().matching("org.braid.cli.(*)..").should().beFreeOfCycles().check(CLASSES);
  }
}
