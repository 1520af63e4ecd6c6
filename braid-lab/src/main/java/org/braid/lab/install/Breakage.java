package org.braid.lab.install;

import java.util.List;
import org.braid.experiment.ExperimentException;
import org.braid.lab.ProgramResult;

/**
 * A way to break an installation that {@code hdfs braid check} names.
 *
 * @param what description of the breakage
 * @param role of the host whose daemon is affected
 * @param property changed in that host's configuration; empty: none
 * @param value its new value; empty: it is removed
 * @param options of the check
 * @param named words that the check must print
 * @param fails whether conversion or repair will not work, so that the check's status is not 0
 */
record Breakage(
    String what,
    DrillHost.Role role,
    String property,
    String value,
    List<String> options,
    List<String> named,
    boolean fails) {
  private static final DrillHost.Role NN = DrillHost.Role.NAMENODE;
  private static final DrillHost.Role DN = DrillHost.Role.DATANODE;

  static final List<Breakage> ALL =
      List.of(
          property(DN, "dfs.datanode.plugins", "", true, "Braid's plugin is not named"),
          property(DN, "dfs.datanode.block-pinning.enabled", "false", false, "Balancer"),
          property(DN, "braid.worker.memory", "64 sheets", true, "64 sheets"),
          property(DN, "braid.worker.memry", "64m", false, "braid.worker.memory"),
          property(DN, "braid.heartbeat.port", "8021", false, "different values"),
          property(NN, "dfs.namenode.plugins", "", true, "Braid's plugin is not named"),
          property(NN, "dfs.block.replicator.classname", "", true, "without knowing stripes"),
          property(NN, "dfs.namenode.snapshot.deletion.ordered", "true", true, "set it to false"),
          property(NN, "braid.ear.default", "rs-6-x", true, "rs-6-x"),
          property(NN, "braid.namenode.deferral.wait", "2 moons", true, "2 moons"),
          new Breakage(
              "a code that fits neither nodes nor racks",
              DrillHost.Role.CLIENT,
              "",
              "",
              List.of("--code", "rs-10-4"),
              List.of("rs-10-4 does not fit"),
              true));

  private static Breakage property(
      DrillHost.Role role, String property, String value, boolean fails, String named) {
    return new Breakage(
        "%s: %s %s".formatted(role.word(), property, value.isEmpty() ? "missing" : "= " + value),
        role,
        property,
        value,
        List.of(),
        List.of(property, named),
        fails);
  }

  /** Changes the configuration of the host. */
  void apply(DrillHost host) throws ExperimentException {
    if (value.isEmpty()) {
      host.remove(property);
    } else {
      host.set(property, value);
    }
  }

  /** What the output of the check lacks; empty when it is right. */
  String missing(ProgramResult check) {
    if (fails == (check.status() == 0)) {
      return "the check ended with " + check.status();
    }
    for (String word : named) {
      if (!check.out().contains(word)) {
        return "the check does not say \"" + word + "\"";
      }
    }
    return "";
  }
}
