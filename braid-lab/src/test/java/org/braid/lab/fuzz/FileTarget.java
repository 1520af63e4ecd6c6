package org.braid.lab.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.file.Experiments;
import org.braid.experiment.file.Overrides;
import org.braid.lab.network.TopologyFile;
import org.braid.lab.work.LabWorkloads;
import org.braid.testing.FuzzTarget;
import org.braid.testing.HostileParser;

/** Parsers of topologies and experiments. */
enum FileTarget implements FuzzTarget {
  TOPOLOGY(
      input -> TopologyFile.parse(new String(input, StandardCharsets.UTF_8), "file"),
      """
      link: 100mbit
      oversubscription: 5
      sites:
        - name: paris
          link: 50mbit
          racks: [3, 3]
        - racks:
            - {name: r7, nodes: 3, uplink: 40mbit, link: 200mbit}
      clients: [{name: c0, rack: r7, link: 1gbit}]
      """,
      "racks: [2, 3]\nclients: 2\n",
      "racks: [{nodes: 2, uplink: 2.5gbit}]\noversubscription: 1.5\nclients: [{}]\n"),

  EXPERIMENT(
      FileTarget::experiment,
      """
      title: Repair of one block
      source: PPR, fig. 7a
      engine: [lab, sim]
      workload: repair
      seed: 7
      repetitions: 3
      settings:
        link: 200mbit
      axes:
        code: [rs-4-2, rs-6-3]
      systems:
        star: {label: Star, shape: star}
        ppr: {shape: ppr}
      figures:
        - {measure: seconds, of: reduction, against: star, system: ppr, along: code, values: {rs-4-2: 0.5, rs-6-3: 60%}}
      claims:
        - claim: PPR takes {goal} time than a star.
          measure: seconds
          of: reduction
          system: ppr
          against: star
          at: {code: rs-6-3}
          paper: 60%
          goal: ">= 0.59"
        - claim: The time of PPR {goal}.
          measure: seconds
          system: ppr
          goal: rises along code within 5%
      charts:
        - {kind: lines, measure: seconds, x: code, systems: [ppr]}
      quick: {repetitions: 1, axes: {code: [rs-4-2]}, systems: [ppr]}
      """,
      """
      title: Repair here and there
      about: >-
        One block.
      engine: lab
      workload: repair
      axes: {code: [rs-4-2, rs-6-3], link: [100mbit, 200mbit]}
      systems: {ppr: {shape: [star, ppr]}}
      figures:
        - {measure: seconds, system: ppr, at: {code: rs-4-2, link: 100mbit}, value: 3.5}
      claims:
        - claim: With a faster link it is {goal}.
          measure: seconds
          of: gain
          system: ppr
          at: {code: rs-4-2, link: 200mbit}
          against-at: {link: 100mbit}
          paper: 3%
          goal: within 10%
        - claim: It takes {goal}.
          measure: seconds
          of: ratio
          system: ppr
          at: {code: rs-4-2, link: 200mbit}
          against-measure: read_seconds
          measured: {experiment: ear/exp2, engine: lab, system: ear, at: {code: rs-4-2}, measure: write_ms, times: 0.001}
          goal: 20% .. 34%
        - {claim: "Nothing {goal}.", measure: seconds, system: ppr, at: {link: 100mbit}, goal: flat along code}
      charts:
        - {kind: box, title: All, measure: seconds, of: gain, against-at: {link: 100mbit}, x: code, at: {link: 200mbit}}
        - {kind: bars, measure: seconds}
      quick: {settings: {block: 1m}}
      """,
      "title: T\nengine: lab\nworkload: repair\nsystems: [a, b]\n",
      "title: T\nengine: lab\nworkload: repair\nsystems: {a: {shape: star}}\n");

  @SuppressWarnings("ImmutableEnumChecker") // nobody changes its seeds
  private final HostileParser parser;

  FileTarget(HostileParser.Read read, String... seeds) {
    List<byte[]> bytes =
        Arrays.stream(seeds).map(text -> text.getBytes(StandardCharsets.UTF_8)).toList();
    parser =
        new HostileParser(read, bytes, List.of(ExperimentException.class))
            .withInputs(
                Path.of("src/test/resources/org/braid/lab/fuzz/FilesFuzzInputs", fuzzTest()));
  }

  @Override
  public HostileParser parser() {
    return parser;
  }

  private static void experiment(byte[] input) throws ExperimentException {
    try {
      Files.write(Home.FILE, input);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    new Experiments(Home.DIRECTORY, LabWorkloads.ALL).named("fuzz", Overrides.NONE);
  }

  /** Where the experiment stands. */
  private static final class Home {
    static final Path DIRECTORY = Path.of("target/fuzz");
    static final Path FILE = DIRECTORY.resolve(Experiments.DIRECTORY).resolve("fuzz.yaml");

    static {
      try {
        Files.createDirectories(FILE.resolveSibling(""));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
