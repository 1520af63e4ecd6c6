package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.fs.Path;
import org.braid.hdfs.api.ConvertRequest.Encode;
import org.braid.hdfs.api.ConvertRequest.Encoder;
import org.braid.hdfs.api.ConvertRequest.Group;
import org.braid.hdfs.api.ConvertRequest.Homes;
import org.braid.hdfs.api.ConvertRequest.Method;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A removal waits for copies, and users put something else in its place meanwhile, its client dead
 * or alive: what was held touches nothing that came after it.
 */
final class HeldCallsTest {
  private static final Random RANDOM = Seeds.random(HeldCallsTest.class);
  private static final int BLOCK = ClusterFixture.BLOCK;
  private static final String GONE = "/s/gone";
  private static final String STAYS = "/s/stays";

  /** Longer than copies take here. */
  private static final long WAITED_SECONDS = 12;

  private static ClusterFixture fixture;

  @TempDir java.nio.file.Path directory;

  @BeforeAll
  static void start() throws Exception {
    // Copies take their time, as on a busy cluster.
    fixture = new ClusterFixture(6, 6, Map.of("dfs.namenode.redundancy.interval.seconds", "4s"));
  }

  @AfterAll
  static void stop() throws Exception {
    fixture.close();
  }

  @BeforeEach
  void write() throws Exception {
    fixture.write(GONE, 2 * BLOCK, 3, RANDOM);
    fixture.write(STAYS, BLOCK, 3, RANDOM);
    Method method = new Method(Encoder.CORE_RACK, Group.ORDER, Encode.GATHER, Homes.EVEN);
    assertEquals(List.of(), fixture.convert(method, "rs-3-2", "/s").skipped());
    assertEquals(1, fixture.stripes().size());
  }

  @AfterEach
  void clear() throws Exception {
    fixture.deleteAll();
  }

  /** HDFS's own shell, in a process that can be killed. */
  private Process shell(String... args) throws Exception {
    for (String site : List.of("core-site.xml", "hdfs-site.xml")) {
      Files.writeString(directory.resolve(site), "<configuration/>");
    }
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    List<String> command =
        new ArrayList<>(
            List.of(
                System.getProperty("java.home") + "/bin/java",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "-cp",
                directory + ":" + classPath,
                FsShell.class.getName(),
                "-fs",
                fixture.hdfs.uri()));
    command.addAll(List.of(args));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(directory.resolve("out").toFile())
        .start();
  }

  private static List<Integer> expected(String path) throws Exception {
    return fixture.files(path).get(0).blocks().stream().map(BlockStatus::expected).toList();
  }

  /** Another file is where the old one was when the call is held, and stays as it is. */
  private void assertNothingElseIsTouched(Process shell, boolean dies) throws Exception {
    try {
      assertTrue(shell.isAlive(), Files.readString(directory.resolve("out")));
      if (dies) {
        shell.destroyForcibly();
        assertTrue(shell.waitFor(20, TimeUnit.SECONDS));
      }
      assertTrue(fixture.fs.rename(new Path(GONE), new Path("/kept")));
      fixture.write(GONE, 3 * BLOCK, 3, RANDOM);
      if (dies) {
        TimeUnit.SECONDS.sleep(WAITED_SECONDS);
      } else {
        assertTrue(shell.waitFor(60, TimeUnit.SECONDS));
        String said = Files.readString(directory.resolve("out"));
        assertTrue(said.contains("is not what it was when this call came"), said);
      }
      fixture.assertReads(GONE);
      assertEquals(2 * BLOCK, fixture.fs.getFileStatus(new Path("/kept")).getLen());
    } finally {
      shell.destroyForcibly();
    }
    Await.until("copies to be given back", () -> expected(STAYS).equals(List.of(1)));
    fixture.fs.delete(new Path("/kept"), false);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void nothingElseIsDeleted(boolean dies) throws Exception {
    Process shell = shell("-rm", "-skipTrash", GONE);
    Await.until("the removal to be held", () -> expected(STAYS).equals(List.of(3)));
    assertNothingElseIsTouched(shell, dies);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void nothingElseIsOverwritten(boolean dies) throws Exception {
    java.nio.file.Path local = Files.createFile(directory.resolve("local"));
    Process shell = shell("-put", "-f", "-d", local.toString(), GONE);
    Await.until("the removal to be held", () -> expected(STAYS).equals(List.of(3)));
    assertNothingElseIsTouched(shell, dies);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void nothingElseIsCut(boolean dies) throws Exception {
    Process shell = shell("-truncate", Integer.toString(BLOCK + 5), GONE);
    Await.until("the cut to be held", () -> expected(GONE).get(1) == 3);
    assertNothingElseIsTouched(shell, dies);
  }
}
