package org.braid.lab.fuzz;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import org.braid.testing.FuzzTargets;
import org.braid.testing.Fuzzed;

/**
 * Searches for files that a parser fails on, from the seeds of its target on. Surefire runs it only
 * when it is named, one method at a time; {@link FilesTest} reads what is found.
 */
@FuzzTargets(FileTarget.class)
final class FilesFuzz {
  @DictionaryEntries({
    "link: ",
    "oversubscription: ",
    "sites:",
    "racks: ",
    "clients: ",
    "name: ",
    "nodes: ",
    "uplink: ",
    "rack: ",
    "mbit",
    "gbit",
    "kbit",
    "  - ",
    "[",
    "{",
    "}",
    "]",
    ": ",
    ", ",
    "!!",
    "&a ",
    "*a",
    "<<: ",
    "|",
    ">-",
    "? ",
    "---"
  })
  @Fuzzed
  void topology(byte[] input) {
    FileTarget.TOPOLOGY.parser().feed(input);
  }

  @DictionaryEntries({
    "title: ",
    "about: ",
    "source: ",
    "engine: ",
    "workload: repair",
    "seed: ",
    "repetitions: ",
    "settings:",
    "axes:",
    "systems:",
    "figures:",
    "claims:",
    "charts:",
    "quick:",
    "measure: seconds",
    "measured:",
    "of: ",
    "against: ",
    "against-at: ",
    "against-measure: ",
    "system: ",
    "along: ",
    "values: ",
    "value: ",
    "at: ",
    "paper: ",
    "goal: ",
    "{goal}",
    "claim: ",
    "experiment: ",
    "times: ",
    "kind: ",
    "bars",
    "lines",
    "box",
    "x: ",
    "label: ",
    "code: ",
    "link: ",
    "ratio",
    "gain",
    "reduction",
    "lab",
    "sim",
    "\">= 59%\"",
    "\"<= 1\"",
    "\"0 .. 1\"",
    "within 10%",
    "rises along code",
    "falls along code",
    "flat along code within 5%",
    "within 5 points",
    "!!",
    "&a ",
    "*a",
    "<<: ",
    "|",
    ">-",
    "? ",
    "---",
    "  - ",
    "[",
    "{",
    "}",
    "]",
    ", "
  })
  @Fuzzed
  void experiment(byte[] input) {
    FileTarget.EXPERIMENT.parser().feed(input);
  }
}
