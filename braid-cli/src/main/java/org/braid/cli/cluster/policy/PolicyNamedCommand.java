package org.braid.cli.cluster.policy;

import java.io.IOException;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.braid.cli.cluster.base.ClusterConnector;
import org.braid.cli.command.CommandResult;
import org.braid.hdfs.api.Policies;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.policy.Policy;
import org.braid.hdfs.policy.PolicyDocument;
import org.braid.hdfs.policy.PolicySet;
import picocli.CommandLine.Parameters;

/** Base of the commands on one policy that is there. */
abstract class PolicyNamedCommand extends PolicyCommand {
  @Parameters(paramLabel = "NAME", description = "The policy, as braid policy list names it.")
  @SuppressWarnings("NullAway.Init")
  private String name;

  PolicyNamedCommand(ClusterConnector connector) {
    super(connector);
  }

  final String name() {
    return name;
  }

  final Policy policy(PolicyDocument document) throws RefusedException {
    return document
        .policies()
        .named(name)
        .orElseThrow(
            () ->
                new RefusedException(
                    "there is no policy \"" + name + "\": braid policy list names them"));
  }

  /**
   * Changes the policy, which must be there, and says what became of it.
   *
   * @param current the policies that hold
   * @param already whether it is so without the change
   */
  final CommandResult change(
      Policies policies,
      PolicyDocument current,
      String done,
      Predicate<Policy> already,
      UnaryOperator<PolicySet> change)
      throws IOException {
    if (already.test(policy(current))) {
      return unchanged(current, "policy %s is %s already".formatted(name, done));
    }
    return changed(
        policies.change(
            "policy " + name + " is " + done,
            before -> before.with(change.apply(before.policies()))));
  }
}
