package org.braid.cli;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntConsumer;
import org.braid.cli.cluster.base.ClusterConnector;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Connection;
import org.braid.hdfs.api.ConvertPreview;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.api.ConvertReport.FileResult;
import org.braid.hdfs.api.ConvertReport.Skipped;
import org.braid.hdfs.api.ConvertRequest;
import org.braid.hdfs.api.FsckReport;
import org.braid.hdfs.api.FsckReport.BlockState;
import org.braid.hdfs.api.FsckReport.FileState;
import org.braid.hdfs.api.FsckReport.State;
import org.braid.hdfs.api.FsckReport.StorageState;
import org.braid.hdfs.api.Policies;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.api.RepairPreview;
import org.braid.hdfs.api.RepairReport;
import org.braid.hdfs.api.RepairReport.Unrepairable;
import org.braid.hdfs.api.RepairRequest;
import org.braid.hdfs.api.RestoreReport;
import org.braid.hdfs.api.ScrubReport;
import org.braid.hdfs.api.ScrubRequest;
import org.braid.hdfs.api.SpilledList;
import org.braid.hdfs.api.ThrottleControl;
import org.braid.hdfs.api.Traffic;
import org.braid.hdfs.api.WatchReport;
import org.braid.hdfs.api.WatchRequest;
import org.braid.hdfs.api.view.CheckReport;
import org.braid.hdfs.api.view.Health;
import org.braid.hdfs.api.view.PlacementView;
import org.braid.hdfs.api.view.StatusReport;
import org.braid.hdfs.api.view.UsageReport;
import org.braid.hdfs.api.view.UsageRequest;

/** Answers by the name of the path: {@code /good}, {@code /skipped}, {@code /lost} and others. */
final class FakeCluster implements Cluster, ClusterConnector {
  final List<Connection> connections = new ArrayList<>();
  final List<Record> requests = new ArrayList<>();
  final FakePolicies policies = new FakePolicies();
  final FakeThrottle throttle = new FakeThrottle();
  int closed;

  /** Hears of each look at the status, by number. */
  IntConsumer looked = look -> {};

  private int looks;

  @Override
  public Cluster connect(Connection connection) throws IOException {
    connections.add(connection);
    return this;
  }

  @Override
  public CheckReport check(Connection connection, List<String> codes) {
    connections.add(connection);
    if (codes.isEmpty()) {
      return new CheckReport(List.of(), 1, 3);
    }
    return new CheckReport(
        List.of(
            new CheckReport.Finding(
                CheckReport.Severity.ERROR,
                "datanode d",
                "dfs.datanode.plugins",
                "x.Other",
                "hdfs-site.xml",
                "Braid's plugin is not named",
                "set it"),
            new CheckReport.Finding(
                CheckReport.Severity.WARNING, "cluster", "p", "", "", "no racks", "tell racks")),
        1,
        1);
  }

  private static void check(String path) throws IOException {
    switch (path) {
      case "/missing" -> throw new FileNotFoundException("/missing does not exist");
      case "/misused" -> throw RefusedException.ofMisuse("braid.x = \"y\" is wrong");
      case "/refused" -> throw new RefusedException("9 nodes are needed, 6 are there");
      case "/broken" -> throw new IllegalStateException("first line\nsecond line");
      case "/failed" -> throw new IOException("first line\n\tat second line");
      default -> {}
    }
  }

  @Override
  public ConvertReport convert(ConvertRequest request) throws IOException {
    requests.add(request);
    List<FileResult> files = new ArrayList<>();
    List<Skipped> skipped = new ArrayList<>();
    for (String path : request.paths()) {
      check(path);
      if (path.equals("/skipped") || path.equals("/mixed")) {
        skipped.add(new Skipped(path + "/f", "EMPTY", "it has 0 bytes"));
      }
      if (path.equals("/partly")) {
        skipped.add(new Skipped(path + "/f", "FAILED", "the block was changed"));
      }
      if (path.equals("/quota")) {
        skipped.add(new Skipped(path + "/f", "QUOTA", "the quota of /.braid is exceeded"));
      }
      if (!Set.of("/skipped", "/empty", "/quota").contains(path)) {
        files.add(new FileResult(path + "/g", 7, 1, false));
      }
    }
    return new ConvertReport(
        request.code(),
        request.parityCopies(),
        files,
        skipped,
        parityLeft(request.paths().get(0)),
        1,
        1,
        3,
        0,
        0,
        new ConvertReport.Grouping(
            new ConvertReport.Planned(1, 4, 2, 21), new ConvertReport.Planned(1, 0, 0, 21), 6),
        1,
        new ConvertReport.ReadShare(0.5, 0.25, 0.4, 0.2, 0.125),
        Traffic.NONE,
        Traffic.NONE,
        21,
        28,
        request.paths().contains("/upgrading"),
        new ConvertPreview.Expected(1, 0, -7, 28, 0.25),
        0.5,
        List.of());
  }

  @Override
  public ConvertPreview preview(ConvertRequest request) throws IOException {
    requests.add(request);
    check(request.paths().get(0));
    boolean none = request.paths().contains("/skipped");
    return new ConvertPreview(
        request.code(),
        none ? 0 : 2,
        0,
        none ? 0 : 1,
        6,
        3,
        2,
        3000,
        1500,
        1500,
        500,
        700,
        0.5,
        request.paths().contains("/upgrading"),
        List.of(new Skipped("/s/f", "EMPTY", "it has 0 bytes")));
  }

  @Override
  public RestoreReport restore(String path, Progress progress) throws IOException {
    check(path);
    boolean skipped = path.equals("/skipped");
    return new RestoreReport(
        skipped ? List.of() : List.of(new RestoreReport.Restored(path, 1, 3)),
        skipped
            ? List.of(new Skipped(path, "SNAPSHOT", "it is in a snapshot"))
            : path.equals("/partly")
                ? List.of(new Skipped(path + "/f", "TOO_FEW_REPLICAS", "5 of 10 replicas"))
                : path.equals("/kept")
                    ? List.of(new Skipped(path + "/f", "NOT_ON_DISK", "its parity stays"))
                    : path.equals("/awaited")
                        ? List.of(new Skipped(path + "/f", "AWAITED", "its parity stays"))
                        : List.of(),
        1,
        28,
        21,
        0.5);
  }

  @Override
  public RepairReport repair(RepairRequest request) throws IOException {
    requests.add(request);
    check(request.path());
    boolean lost = request.path().equals("/lost");
    return new RepairReport(
        request.shape(),
        List.of(),
        lost
            ? List.of(new Unrepairable("/lost/f", "s", 2, "blk_7", "5 of 6 blocks can be had"))
            : List.of(),
        0,
        request.policy().delayMillis().isPresent() ? 3 : 0,
        0,
        parityLeft(request.path()),
        Traffic.NONE,
        RepairReport.Phases.NONE,
        0.5,
        List.of(),
        List.of(),
        EXPECTED);
  }

  /** Parity that stays. */
  private static List<Skipped> parityLeft(String path) {
    return switch (path) {
      case "/kept" ->
          List.of(
              new Skipped(
                  "/.braid/stripes/00/00aa",
                  "NOT_ON_DISK",
                  "of blk_7 only 1 copies are on disk for sure"));
      case "/used" ->
          List.of(
              new Skipped("/.braid/stripes/00/00bb", "IN_USE", "another command is at work on it"));
      case "/awaited" ->
          List.of(
              new Skipped(
                  "/.braid/stripes/00/00cc",
                  "AWAITED",
                  "of blk_7 only 1 copies are on nodes in service"));
      default -> List.of();
    };
  }

  private static final RepairPreview.Expected EXPECTED =
      new RepairPreview.Expected(3 << 20, 12 << 20, 6 << 20, 0, 1.5);

  @Override
  public RepairPreview preview(RepairRequest request) throws IOException {
    requests.add(request);
    check(request.path());
    boolean lost = request.path().equals("/lost");
    return RepairPreview.of(
        request.shape(),
        new RepairPreview.Blocks(3, 2, 3, 1, 1 << 20),
        request.path().equals("/stopped")
            ? new RepairPreview.Expected(3 << 20, 12 << 20, 6 << 20, 0, null)
            : EXPECTED,
        lost
            ? List.of(new Unrepairable("/lost/f", "s", 2, "blk_7", "5 of 6 blocks can be had"))
            : List.of(),
        1,
        2,
        4);
  }

  @Override
  public ScrubReport scrub(ScrubRequest request) throws IOException {
    requests.add(request);
    check(request.path());
    boolean bad = request.path().equals("/bad");
    ScrubReport.Finding finding =
        new ScrubReport.Finding(
            ScrubReport.Kind.NO_HOME, "/bad/f", "s", 2, "blk_7", "n1", "there is none");
    ScrubReport.Finding unfit =
        new ScrubReport.Finding(
            ScrubReport.Kind.PARITY, "/p/t", "t", 4, "blk_9", "n3", "parity block 4 is wrong");
    return new ScrubReport(
        request.path(),
        !request.path().equals("/stopped"),
        3,
        27,
        27L << 20,
        new ScrubReport.StripeCounts(2, bad ? 1 : 0, 1),
        bad ? List.of(finding, unfit) : List.of(),
        bad ? Map.of(ScrubReport.Kind.NO_HOME, 1L, ScrubReport.Kind.PARITY, 1L) : Map.of(),
        request.path().equals("/down")
            ? List.of(new ScrubReport.Unchecked("/down/f", "blk_8", "n2", "does not answer"))
            : List.of(),
        Map.of(),
        0.5);
  }

  @Override
  public WatchReport watch(WatchRequest request) {
    requests.add(request);
    request.journal().accept("watching");
    boolean stopped = request.stop().await(60_000);
    return new WatchReport(stopped ? 2 : -1, 3, 0, 4, 1, 1, Traffic.NONE, 0.5);
  }

  @Override
  public FsckReport fsck(String path, Progress progress) throws IOException {
    check(path);
    State state = path.equals("/lost") ? State.LOST : State.REPAIRABLE;
    var block = new BlockState(3, "blk_7", "s", state, 0, "no copy is reachable");
    List<FileState> files = new SpilledList<>();
    for (int i = 0; i < (path.equals("/many") ? 2500 : 1); i++) {
      files.add(new FileState(path + "/f", state, true, 4, List.of(block), false));
    }
    return new FsckReport(
        files,
        List.of(),
        path.equals("/lost") ? Map.of("/.braid/stripes/ab/abc", "it was cut short") : Map.of(),
        2,
        path.equals("/moved")
            ? List.of(
                new StorageState("/moved/f", "ARCHIVE", 4),
                new StorageState("/.braid/stripes/ab/abc", "DISK", 1))
            : List.of(),
        path.equals("/single") ? List.of("/single/a", "/single/b") : List.of());
  }

  @Override
  public UsageReport usage(UsageRequest request, Progress progress) throws IOException {
    requests.add(request);
    check(request.path());
    long mib = 1 << 20;
    return new UsageReport(
        request.path(),
        new UsageReport.Row(request.path(), 3, 3 * mib, 6 * mib, mib, 9 * mib),
        List.of(
            new UsageReport.Row("/a", 2, 2 * mib, 3 * mib, mib, 6 * mib),
            new UsageReport.Row("/b", 1, 0, 2 * mib, mib, 0)),
        request.path().equals("/skipped") ? 2 : 0,
        request.path().equals("/skipped") ? 4 : null);
  }

  @Override
  public StatusReport status(String path) throws IOException {
    check(path);
    int look = path.equals("/watched") ? ++looks : 1;
    looked.accept(look);
    if (look == 2) {
      throw new IOException("the NameNode is in transition\n\tat second line");
    }
    return new StatusReport(
        path.equals("/safe")
            ? Health.of(List.of(new Health.Cause(Health.Word.AT_RISK, "2 stripes lack blocks")))
            : Health.of(List.of()),
        path.equals("/safe"),
        path.equals("/upgrading"),
        new StatusReport.Coordination("convert at a:1:2", true, true, true, 2, 50, true),
        List.of(new StatusReport.NodeStatus("n0", "/r0", true, true, "scalar", 1 << 20)),
        path.equals("/") ? null : new StatusReport.FileCounts(1, 2, 0, 0),
        path.equals("/") ? new StatusReport.BlockCounts(100, 60, 30, 5000, 1800) : null,
        List.of(new StatusReport.CodeCount("rs-6-3", look, 6, 3)),
        600,
        look == 1 ? 900 : 388,
        300,
        new StatusReport.CopyCount(6, 5),
        new StatusReport.NodeShare("n0", 0.25, 0.125),
        path.equals("/") ? Map.of("/.braid/stripes/ab/abc", "it was cut short") : Map.of(),
        path.equals("/d") ? 3 : null,
        path.equals("/") ? throttle.show() : null,
        path.equals("/")
            ? new StatusReport.Scrub(
                "2026-11-01T00:00:00Z",
                "2026-11-20T00:00:00Z",
                1,
                3,
                "2026-11-20T00:00:00Z",
                0.25,
                0,
                2_000_000L,
                null)
            : null);
  }

  @Override
  public PlacementView placement(List<String> paths) {
    return new PlacementView(List.of(), List.of());
  }

  @Override
  public ThrottleControl throttle() {
    return throttle;
  }

  @Override
  public Policies policies() {
    return policies;
  }

  @Override
  public void close() {
    closed++;
  }
}
