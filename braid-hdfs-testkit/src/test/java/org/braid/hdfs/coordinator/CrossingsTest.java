package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.api.FsckReport;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.fault.FaultHook;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.testing.InjectedFaults;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What users do at each step of a conversion: every byte reads back, every block has two copies or
 * a whole stripe, and a second run finishes. Each operation meets a few steps, with {@code
 * -Dbraid.long=true} all of them; {@code -Dbraid.crossings=REGEX} chooses by name.
 */
final class CrossingsTest {
  private static final Random RANDOM = Seeds.random(CrossingsTest.class);
  private static final String CODE = "rs-3-2";
  private static final Set<FaultStep> STEPS =
      Arrays.stream(FaultStep.values())
          .filter(step -> step.name().matches("CONVERT_.*|NAMENODE_(PUT|TRIM|PERSIST).*"))
          .collect(Collectors.toCollection(() -> EnumSet.noneOf(FaultStep.class)));
  private static final List<FaultStep> SOME_STEPS =
      List.of(FaultStep.CONVERT_TRIMMED, FaultStep.CONVERT_PERSISTED);

  private static @Nullable ClusterFixture shared;
  private static int number;

  /** What a user does to {@code f}, which shares stripes with {@code g} and {@code h}. */
  private enum Operation {
    APPEND,
    APPEND_BLOCKS,
    TRUNCATE_BLOCK,
    TRUNCATE_INSIDE,
    TRUNCATE_ALL_AND_APPEND,
    CONCAT_ONTO,
    CONCAT_AWAY,
    RENAME,
    DELETE,
    DELETE_SHARING,
    DELETE_PARENT,
    OVERWRITE,
    RAISE_REPLICATION,
    CLOSE_TO_OTHERS;
  }

  @AfterAll
  static void stop() throws Exception {
    if (shared != null) {
      shared.close();
    }
    shared = null;
  }

  @AfterEach
  void clear() throws Exception {
    InjectedFaults.clear();
    fixture().deleteAll();
  }

  private static ClusterFixture fixture() throws IOException {
    if (shared == null) {
      shared = new ClusterFixture(6, 12);
    }
    return shared;
  }

  private static List<Arguments> crossings() {
    boolean all = Boolean.getBoolean("braid.long");
    List<Arguments> crossings = new ArrayList<>();
    for (FaultStep step : all ? STEPS : EnumSet.copyOf(SOME_STEPS)) {
      for (Operation operation : Operation.values()) {
        if ((step + " " + operation).matches(System.getProperty("braid.crossings", ".*"))) {
          crossings.add(Arguments.of(step, operation));
        }
      }
    }
    return crossings;
  }

  @ParameterizedTest(name = "{1} at {0}")
  @MethodSource("crossings")
  void nothingIsLost(FaultStep step, Operation operation) throws Exception {
    ClusterFixture fixture = fixture();
    Files files = new Files(fixture, "/crossing" + number++);
    files.write("d/f", 7 * ClusterFixture.BLOCK + 77);
    files.write("d/g", 2 * ClusterFixture.BLOCK);
    files.write("d/h", ClusterFixture.BLOCK / 2);
    files.write("d/onto", ClusterFixture.BLOCK + 5);
    Meanwhile meanwhile = new Meanwhile(step, () -> files.run(operation));
    InjectedFaults.install(meanwhile);
    try {
      fixture.convert(CODE, files.root);
    } finally {
      InjectedFaults.clear();
    }
    assertTrue(meanwhile.happened, step + " was never reached");
    assertNull(meanwhile.failure, () -> operation + " fails: " + meanwhile.failure);
    files.assertReads();
    // What a coordinator that watches does by itself.
    fixture.repair("/", "chain");
    files.assertSafe();
    ConvertReport second = fixture.convert(CODE, files.root);
    assertTrue(
        second.skipped().stream().allMatch(s -> s.cause().equals("NO_GAIN")),
        second.skipped().toString());
    files.assertReads();
    files.assertSafe();
    for (FsckReport.FileState file : fixture.fsck(files.root).files()) {
      assertEquals(List.of(), file.findings(), file.path());
    }
    try (Cluster cluster = fixture.braid()) {
      cluster.restore(files.root, Progress.SILENT);
    }
    files.assertReads();
    files.assertReplicated();
    fixture.fs.delete(new Path(files.root), true);
    fixture.repair("/", "chain");
    assertEquals(0, fixture.stripes().size(), "parity is left over");
  }

  /** Runs an operation once, when a step is reached first, as a user elsewhere would. */
  private static final class Meanwhile implements FaultHook {
    private final FaultStep step;
    private final ClusterFixture.Event event;
    private volatile boolean happened;
    private volatile @Nullable Exception failure;

    Meanwhile(FaultStep step, ClusterFixture.Event event) {
      this.step = step;
      this.event = event;
    }

    @Override
    public void reached(FaultStep reached, String detail) throws IOException {
      synchronized (this) {
        if (reached != step || happened) {
          return;
        }
        happened = true;
      }
      AtomicReference<@Nullable Exception> failed = new AtomicReference<>();
      Thread user =
          new Thread(
              () -> {
                try {
                  event.happen();
                } catch (Exception e) {
                  failed.set(e);
                }
              },
              "user");
      user.start();
      try {
        user.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException(e);
      }
      failure = failed.get();
    }
  }

  /** Files below a directory and what they hold. */
  private static final class Files {
    private final ClusterFixture fixture;
    private final String root;
    private final Map<String, byte[]> contents = new TreeMap<>();

    Files(ClusterFixture fixture, String root) {
      this.fixture = fixture;
      this.root = root;
    }

    private Path path(String name) {
      return new Path(root, name);
    }

    private byte[] bytes(int length) {
      byte[] bytes = new byte[length];
      RANDOM.nextBytes(bytes);
      return bytes;
    }

    void write(String name, int length) throws IOException {
      byte[] content = bytes(length);
      try (FSDataOutputStream out = fixture.fs.create(path(name), (short) 3)) {
        out.write(content);
      }
      contents.put(name, content);
      fixture.awaitReplicas(path(name).toString(), 3);
    }

    private static byte[] joined(byte[] first, byte[] second) {
      byte[] joined = Arrays.copyOf(first, first.length + second.length);
      System.arraycopy(second, 0, joined, first.length, second.length);
      return joined;
    }

    private void append(String name, int length) throws IOException {
      byte[] more = bytes(length);
      try (FSDataOutputStream out = fixture.fs.append(path(name))) {
        out.write(more);
      }
      contents.merge(name, more, Files::joined);
    }

    private void truncate(String name, int length) throws IOException {
      fixture.fs.truncate(path(name), length);
      contents.computeIfPresent(name, (file, content) -> Arrays.copyOf(content, length));
      Await.until(name + " to be truncated", () -> fixture.fs.isFileClosed(path(name)));
    }

    private void concat(String target, String... sources) throws IOException {
      fixture.fs.concat(path(target), Arrays.stream(sources).map(this::path).toArray(Path[]::new));
      for (String source : sources) {
        contents.merge(target, contents.remove(source), Files::joined);
      }
    }

    void run(Operation operation) throws IOException {
      switch (operation) {
        case APPEND -> append("d/f", 1);
        case APPEND_BLOCKS -> append("d/f", 2 * ClusterFixture.BLOCK);
        case TRUNCATE_BLOCK -> truncate("d/f", 5 * ClusterFixture.BLOCK);
        case TRUNCATE_INSIDE -> truncate("d/f", 4 * ClusterFixture.BLOCK + 100);
        case TRUNCATE_ALL_AND_APPEND -> {
          truncate("d/f", 0);
          append("d/f", ClusterFixture.BLOCK);
        }
        case CONCAT_ONTO -> {
          write("d/new", ClusterFixture.BLOCK);
          concat("d/f", "d/new");
        }
        case CONCAT_AWAY -> concat("d/onto", "d/f");
        case RENAME -> {
          fixture.fs.mkdirs(path("e"));
          fixture.fs.rename(path("d/f"), path("e/f"));
          contents.put("e/f", contents.remove("d/f"));
        }
        case DELETE -> {
          fixture.fs.delete(path("d/f"), false);
          contents.remove("d/f");
        }
        case DELETE_SHARING -> {
          fixture.fs.delete(path("d/g"), false);
          fixture.fs.delete(path("d/h"), false);
          contents.keySet().removeAll(Set.of("d/g", "d/h"));
        }
        case DELETE_PARENT -> {
          fixture.fs.delete(path("d"), true);
          contents.keySet().removeIf(name -> name.startsWith("d/"));
        }
        case OVERWRITE -> write("d/f", 3 * ClusterFixture.BLOCK);
        case RAISE_REPLICATION -> fixture.fs.setReplication(path("d/f"), (short) 4);
        case CLOSE_TO_OTHERS ->
            fixture.fs.setPermission(path("d/f"), new FsPermission((short) 0600));
      }
    }

    void assertReads() throws IOException {
      for (Map.Entry<String, byte[]> file : contents.entrySet()) {
        assertArrayEquals(
            file.getValue(),
            ClusterFixture.read(fixture.fs, path(file.getKey()).toString()),
            file.getKey());
      }
    }

    /** Each block gets two copies, or has a whole stripe. */
    void assertSafe() throws IOException {
      Await.until(
          "blocks that are neither replicated nor encoded",
          Duration.ofSeconds(15),
          this::unsafe,
          String::isEmpty);
    }

    private String unsafe() throws IOException {
      Set<Long> encoded = new HashSet<>();
      for (StripeStatus status : fixture.stripes()) {
        if (status.stripe().verified() && fixture.whole(status)) {
          encoded.addAll(status.stripe().blockIds());
        }
      }
      StringBuilder text = new StringBuilder();
      for (StoredFile file : fixture.files(root)) {
        for (BlockStatus block : file.blocks()) {
          long live = block.replicas().stream().filter(r -> r.live()).count();
          if (live < 2 && !encoded.contains(block.block().id())) {
            text.append(
                "%s (replication %d): %s has %d copies; "
                    .formatted(file.path(), file.replication(), block.block().name(), live));
          }
        }
      }
      return text.toString();
    }

    void assertReplicated() throws IOException {
      fixture.awaitReplicas(root, 3);
      for (StoredFile file : fixture.files(root)) {
        assertTrue(file.replication() >= 3, file.path() + ": " + file.replication());
      }
    }
  }
}
