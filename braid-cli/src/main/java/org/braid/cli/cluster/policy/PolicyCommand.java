package org.braid.cli.cluster.policy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.braid.cli.cluster.base.ClusterCommand;
import org.braid.cli.cluster.base.ClusterConnector;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.ExitStatus;
import org.braid.cli.text.Json;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Policies;
import org.braid.hdfs.policy.KnownReads;
import org.braid.hdfs.policy.Moments;
import org.braid.hdfs.policy.PolicyDocument;
import org.braid.hdfs.policy.PolicyJson;
import org.braid.hdfs.policy.Window;
import org.jspecify.annotations.Nullable;

/** Base of the commands on policies and pauses. */
abstract class PolicyCommand extends ClusterCommand {
  PolicyCommand(ClusterConnector connector) {
    super(connector);
  }

  /** Does the work on the cluster's policies. */
  abstract CommandResult perform(Policies policies) throws IOException;

  @Override
  protected CommandResult perform(Cluster cluster) throws IOException {
    return perform(cluster.policies());
  }

  /** Creates a value from the command line; an invalid one is wrong usage. */
  final <T> T made(Supplier<T> maker) {
    try {
      return maker.get();
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  /** The time zone that an option names; this machine's where it names none. */
  final ZoneId zoneNamed(@Nullable String name) {
    return name == null ? ZoneId.systemDefault() : made(() -> Window.zone(name));
  }

  /** The policies in force, as printed with {@code --json}. */
  record Shown(
      long revision,
      String user,
      String at,
      String change,
      List<Map<String, Object>> policies,
      Map<String, String> pauses) {
    /** Creates the output, with the pauses that hold at a moment. */
    static Shown of(PolicyDocument document, Instant now) {
      Map<String, String> pauses = new LinkedHashMap<>();
      document.pausesAt(now).forEach((work, until) -> pauses.put(work.word(), moment(until)));
      return new Shown(
          document.revision(),
          document.user(),
          moment(document.at()),
          document.change(),
          document.policies().policies().stream().map(PolicyJson::shown).toList(),
          pauses);
    }
  }

  static ObjectNode object(PolicyDocument document, Instant now) {
    return Json.of(Shown.of(document, now)).put("ok", true);
  }

  /** From where reads are known, as it is printed with {@code --json}. */
  record Reads(String source, @Nullable String until, Map<String, String> since, String sentence) {
    /** Creates the output, with a sentence about all known reads. */
    static Reads of(KnownReads known, String sentence) {
      Map<String, String> since = new TreeMap<>();
      boolean logs = known.source() == KnownReads.Source.AUDIT_LOGS;
      if (logs) {
        known.since().forEach((path, from) -> since.put(path, moment(from)));
      }
      return new Reads(
          known.source().name().toLowerCase(Locale.ROOT),
          logs ? moment(known.until()) : null,
          since,
          sentence);
    }
  }

  /** Adds to a result from where reads are known. */
  static ObjectNode withReads(ObjectNode object, KnownReads known, String sentence) {
    object.set("reads", Json.of(Reads.of(known, sentence)));
    return object;
  }

  /** The result of a change. */
  static CommandResult changed(PolicyDocument document) {
    return new CommandResult(
        ExitStatus.DONE,
        object(document, Instant.now()).put("changed", true),
        List.of("%s (change %d)".formatted(document.change(), document.revision())));
  }

  /** Warns of what keeps a policy from working, which holds nevertheless. */
  final void warn(Optional<String> problem) {
    problem.ifPresent(what -> err().println("braid: " + what));
    err().flush();
  }

  /** The result where all is already as it is to be, so that no change is written. */
  static CommandResult unchanged(PolicyDocument document, String why) {
    return new CommandResult(
        ExitStatus.DONE,
        object(document, Instant.now()).put("changed", false),
        List.of("nothing changed: " + why));
  }

  /** A moment as people read it. */
  static String moment(Instant moment) {
    return Moments.until(moment);
  }
}
