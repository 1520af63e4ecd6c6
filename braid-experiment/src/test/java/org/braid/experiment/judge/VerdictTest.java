package org.braid.experiment.judge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.braid.experiment.Axis;
import org.braid.experiment.Chart;
import org.braid.experiment.Claim;
import org.braid.experiment.Claim.Between;
import org.braid.experiment.Claim.Bound;
import org.braid.experiment.Claim.Direction;
import org.braid.experiment.Claim.Trend;
import org.braid.experiment.ComparedSystem;
import org.braid.experiment.Experiment;
import org.braid.experiment.Fake;
import org.braid.experiment.PaperFigure;
import org.braid.experiment.Quantity;
import org.braid.experiment.Quantity.Against;
import org.braid.experiment.Quantity.Form;
import org.braid.experiment.SourceLocation;
import org.braid.experiment.Spread;
import org.braid.experiment.WorkloadSettings;
import org.braid.experiment.chart.Graph;
import org.braid.experiment.chart.Graph.Origin;
import org.braid.experiment.chart.Graph.Series;
import org.braid.experiment.judge.Verdict.Held;
import org.braid.experiment.run.Conditions;
import org.braid.experiment.run.Results;
import org.braid.experiment.run.Row;
import org.junit.jupiter.api.Test;

final class VerdictTest {
  private static final SourceLocation PLACE = new SourceLocation("e.yaml", 1);
  private static final Against SLOW = new Against("slow", Map.of(), "");

  /** Seconds by repetition, of slow and fast at 4, 8 and 12 blocks. */
  private static final double[][][] SECONDS = {
    {{10, 12, 11}, {20, 20, 20}, {30, 33, 36}},
    {{5, 5, 5}, {8, 8, 8}, {9, 10, 11}},
  };

  private final List<Claim> claims = new ArrayList<>();
  private final List<Chart> charts = new ArrayList<>();
  private final List<PaperFigure> figures = new ArrayList<>();
  private final List<Row> rows = new ArrayList<>(rows(Row.State.OK));

  private static List<Row> rows(Row.State state) {
    List<Row> rows = new ArrayList<>();
    String[] systems = {"slow", "fast"};
    String[] blocks = {"4", "8", "12"};
    for (int s = 0; s < 2; s++) {
      for (int b = 0; b < 3; b++) {
        for (int r = 0; r < 3; r++) {
          Map<String, Double> figures =
              Map.of("seconds", SECONDS[s][b][r], "bytes", s == 0 ? 0.0 : 100.0 * b);
          rows.add(
              new Row(
                  rows.size() + 1,
                  Map.of("blocks", blocks[b]),
                  systems[s],
                  r,
                  1,
                  state,
                  figures,
                  1,
                  "",
                  "2026-01-02T03:04:05Z",
                  1,
                  0));
        }
      }
    }
    return rows;
  }

  private static Quantity quantity(Form form) {
    return new Quantity("seconds", form, form == Form.VALUE ? Against.NOTHING : SLOW);
  }

  private Claim claim(Quantity quantity, String system, String blocks, Bound bound) {
    Map<String, String> at = blocks.isEmpty() ? Map.of() : Map.of("blocks", blocks);
    return new Claim(
        "it is so",
        quantity,
        system,
        at,
        OptionalDouble.of(0.6),
        Optional.empty(),
        bound,
        Optional.empty());
  }

  private Findings findings() throws Exception {
    Fake fake = new Fake();
    Experiment experiment =
        new Experiment(
            "ppr/fig7a",
            "Repair",
            "",
            "",
            "sim",
            "repair",
            7,
            3,
            WorkloadSettings.defaults(fake),
            List.of(new Axis("blocks", List.of("4", "8", "12"), PLACE)),
            List.of(
                new ComparedSystem("slow", "Slow one", Map.of()),
                new ComparedSystem("fast", "Fast one", Map.of())),
            figures,
            claims,
            charts);
    Conditions conditions = new Conditions("c0ffee", "CPU", 2, "isa-l", "Linux", "JVM", "", "a=b");
    return Findings.of(
        experiment,
        fake.measures(),
        new Results(
            "ppr/fig7a",
            "sim",
            List.of("blocks"),
            List.of("seconds", "bytes"),
            conditions,
            Map.of(),
            18,
            rows,
            ""));
  }

  private Verdict verdict(Claim claim) throws Exception {
    claims.clear();
    claims.add(claim);
    return findings().verdicts().get(0);
  }

  private void judged(Held held, double ours, String text, Claim claim) throws Exception {
    Verdict verdict = verdict(claim);
    assertEquals(held, verdict.held());
    assertEquals(ours, verdict.ours().orElseThrow(), 1e-9);
    assertEquals(text, findings().words().ours(verdict));
  }

  private static Between atLeast(double least) {
    return new Between(least, Double.POSITIVE_INFINITY, ">= " + least);
  }

  @Test
  void comparisonsAreMadeRepetitionByRepetition() throws Exception {
    judged(
        Held.HELD,
        11,
        "11 s (10 s to 12 s)",
        claim(quantity(Form.VALUE), "slow", "4", atLeast(11)));
    // 9/30, 10/33, 11/36: the median is 10/33, though the ratio of medians is the same here.
    judged(
        Held.HELD,
        10 / 33.0,
        "0.303x (0.3x to 0.3056x)",
        claim(quantity(Form.RATIO), "fast", "12", new Between(0, 0.31, "<= 0.31")));
    // 5/10, 5/12, 5/11: pairs, not 5 over the median alone.
    judged(
        Held.NOT_HELD,
        1 - 5 / 11.0,
        "54.5% (50.0% to 58.3%)",
        claim(quantity(Form.REDUCTION), "fast", "4", atLeast(0.59)));
    judged(
        Held.HELD,
        1.5,
        "150.0%",
        claim(
            new Quantity("seconds", Form.GAIN, new Against("fast", Map.of(), "")),
            "slow",
            "8",
            new Between(1.4, 1.6, "1.4 .. 1.6")));
  }

  @Test
  void theOtherSideMayBeAnotherPointOrMeasure() throws Exception {
    Quantity growth =
        new Quantity("seconds", Form.RATIO, new Against("", Map.of("blocks", "4"), ""));
    judged(Held.HELD, 1.6, "1.6x", claim(growth, "fast", "8", atLeast(1.5)));
    Quantity rate = new Quantity("bytes", Form.RATIO, new Against("", Map.of(), "seconds"));
    judged(Held.HELD, 12.5, "12.5x", claim(rate, "fast", "8", atLeast(1)));
    Quantity nothing = new Quantity("bytes", Form.RATIO, SLOW);
    assertEquals(Held.NOT_RUN, verdict(claim(nothing, "fast", "8", atLeast(1))).held());
  }

  @Test
  void trendsFollowTheAxis() throws Exception {
    Bound rises = new Trend("blocks", Direction.RISES, 0, "rises along blocks");
    judged(
        Held.HELD, 2, "+200.0% from first to last", claim(quantity(Form.VALUE), "slow", "", rises));
    Bound falls = new Trend("blocks", Direction.FALLS, 0.5, "falls along blocks");
    judged(
        Held.NOT_HELD,
        2,
        "+200.0% from first to last",
        claim(quantity(Form.VALUE), "slow", "", falls));
    // 5/11, 0.4, 10/33
    judged(
        Held.HELD,
        10 / 33.0 / (5 / 11.0) - 1,
        "-33.3% from first to last",
        claim(
            quantity(Form.RATIO),
            "fast",
            "",
            new Trend("blocks", Direction.FALLS, 0, "falls along blocks")));
    Quantity bytes = new Quantity("bytes", Form.VALUE, Against.NOTHING);
    judged(
        Held.HELD,
        0,
        "at most 0.0% off its mean",
        claim(bytes, "slow", "", new Trend("blocks", Direction.FLAT, 0, "flat along blocks")));
    assertEquals(
        Held.NOT_HELD,
        verdict(
                claim(
                    quantity(Form.VALUE),
                    "fast",
                    "",
                    new Trend("blocks", Direction.FLAT, 0.2, "flat along blocks within 20%")))
            .held());
  }

  @Test
  void aStepMayGoAstrayWithinTheTolerance() throws Exception {
    rows.removeIf(row -> row.point().get("blocks").equals("8"));
    rows.add(
        new Row(
            1,
            Map.of("blocks", "8"),
            "slow",
            0,
            1,
            Row.State.OK,
            Map.of("seconds", 10.8),
            1,
            "",
            "2026-01-02",
            1,
            0));
    assertEquals(
        Held.NOT_HELD,
        verdict(
                claim(
                    quantity(Form.VALUE),
                    "slow",
                    "",
                    new Trend("blocks", Direction.RISES, 0.01, "")))
            .held());
    assertEquals(
        Held.HELD,
        verdict(
                claim(
                    quantity(Form.VALUE),
                    "slow",
                    "",
                    new Trend("blocks", Direction.RISES, 0.02, "")))
            .held());
  }

  @Test
  void whatWasNotMeasuredIsNotRun() throws Exception {
    rows.removeIf(row -> row.point().get("blocks").equals("8"));
    claims.add(claim(quantity(Form.VALUE), "slow", "8", atLeast(1)));
    claims.add(
        claim(quantity(Form.VALUE), "slow", "", new Trend("blocks", Direction.RISES, 0, "rises")));
    claims.add(claim(quantity(Form.VALUE), "slow", "4", atLeast(100)));
    Findings findings = findings();
    assertEquals("not in this run", findings.verdicts().get(0).note());
    assertEquals("no figure at blocks=8", findings.verdicts().get(1).note());
    assertEquals("-", findings.words().ours(findings.verdicts().get(0)));
    assertEquals(
        "0 of 3 claims held, 1 did not, 2 not run; partial: 12 of 18 trials gave figures",
        findings.conclusion());
    assertTrue(!findings.ok());
  }

  @Test
  void doubtfulTrialsAreSaid() throws Exception {
    rows.clear();
    rows.addAll(rows(Row.State.DOUBTFUL));
    Verdict verdict = verdict(claim(quantity(Form.REDUCTION), "fast", "4", atLeast(0.1)));
    assertEquals(Held.HELD, verdict.held());
    assertEquals("rests on doubtful trials", verdict.note());
    assertEquals("1 of 1 claims held; 18 doubtful", findings().conclusion());
  }

  /** The median would pass over the run in which something happened. */
  @Test
  void neverMeansInNoRun() throws Exception {
    Between never = new Between(0, 0, "0");
    Quantity bytes = new Quantity("bytes", Form.VALUE, Against.NOTHING);
    judged(Held.HELD, 0, "0 B", claim(bytes, "slow", "8", never));
    Row row = rows.remove(1);
    rows.add(withBytes(row, 7));
    Verdict verdict = verdict(claim(bytes, "slow", "4", never));
    assertEquals(Held.NOT_HELD, verdict.held());
    assertEquals("not 0 in each run", verdict.note());
    assertEquals("0 B (0 B to 7 B)", findings().words().ours(verdict));
    // A limit is for the median, and may be 0.
    assertEquals(Held.HELD, verdict(claim(bytes, "slow", "4", new Between(0, 1, "0 .. 1"))).held());
    rows.remove(rows.size() - 1);
    rows.add(withBytes(row, -7));
    assertEquals(Held.NOT_HELD, verdict(claim(bytes, "slow", "4", never)).held());
  }

  private static Row withBytes(Row row, double bytes) {
    Map<String, Double> figures = Map.of("seconds", row.figures().get("seconds"), "bytes", bytes);
    return new Row(
        row.trial(),
        row.point(),
        row.system(),
        row.repetition(),
        row.seed(),
        row.state(),
        figures,
        row.attempts(),
        row.note(),
        row.date(),
        row.took(),
        row.load());
  }

  @Test
  void conditionsNameAll() throws Exception {
    assertEquals(
        "CPU, 2 cores; Linux; kernel isa-l; commit c0ffee; 2026-01-02; seed 7; 3 repetitions; a=b",
        findings().conditions());
    assertEquals("./braid sim run ppr/fig7a", findings().command());
  }

  private static List<Double> medians(Series series) {
    return series.values().stream().map(v -> v.map(Spread::median).orElse(-1.0)).toList();
  }

  @Test
  void chartsHaveASeriesForEachSystemAndThePapersBesideIt() throws Exception {
    Quantity reduction = quantity(Form.REDUCTION);
    figures.add(new PaperFigure(reduction, "fast", Map.of("blocks", "12"), 0.59));
    charts.add(
        new Chart(
            Chart.Kind.LINES,
            "",
            quantity(Form.VALUE),
            "blocks",
            List.of("slow", "fast"),
            Map.of()));
    charts.add(new Chart(Chart.Kind.BARS, "Less", reduction, "blocks", List.of("fast"), Map.of()));
    charts.add(
        new Chart(
            Chart.Kind.BOX,
            "",
            quantity(Form.VALUE),
            "",
            List.of("slow", "fast"),
            Map.of("blocks", "12")));
    List<Graph> graphs = Graph.of(findings());
    assertEquals("seconds (s)", graphs.get(0).title());
    assertEquals(List.of("4", "8", "12"), graphs.get(0).categories());
    assertEquals(
        List.of("Slow one", "Fast one"),
        graphs.get(0).series().stream().map(Series::name).toList());
    assertEquals(List.of(11.0, 20.0, 33.0), medians(graphs.get(0).series().get(0)));
    assertEquals("seconds, reduction against Slow one", graphs.get(1).y());
    Series paper = graphs.get(1).series().get(1);
    assertEquals("paper: Fast one", paper.name());
    assertEquals(Origin.PAPER, paper.origin());
    assertEquals(graphs.get(1).series().get(0).color(), paper.color());
    assertEquals(List.of(-1.0, -1.0, 0.59), medians(paper));
    assertEquals(List.of("Slow one", "Fast one"), graphs.get(2).categories());
    assertEquals(
        new Spread(30, 31.5, 33, 34.5, 36, 3),
        graphs.get(2).series().get(0).values().get(0).orElseThrow());
  }

  @Test
  void otherAxesAreSeriesUnlessTheyAreFixed() throws Exception {
    charts.add(
        new Chart(
            Chart.Kind.BARS, "", quantity(Form.VALUE), "", List.of("slow", "fast"), Map.of()));
    List<Series> series = Graph.of(findings()).get(0).series();
    assertEquals(List.of("4", "8", "12"), series.stream().map(Series::name).toList());
    assertEquals(List.of(11.0, 5.0), medians(series.get(0)));
  }
}
