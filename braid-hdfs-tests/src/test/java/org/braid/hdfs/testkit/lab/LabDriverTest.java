package org.braid.hdfs.testkit.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.braid.hdfs.api.ConvertRequest;
import org.braid.hdfs.testkit.embedded.EmbeddedHdfs;
import org.braid.hdfs.testkit.embedded.EmbeddedSettings;
import org.braid.testing.Await;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LabDriverTest {
  private static final int NODES = 9;
  private static final int BLOCK = 64 << 10;
  private static final long FILE = 4L * BLOCK;
  private static final ConvertRequest.Method IN_ORDER =
      new ConvertRequest.Method(
          ConvertRequest.Encoder.CORE_RACK,
          ConvertRequest.Group.ORDER,
          ConvertRequest.Encode.GATHER,
          ConvertRequest.Homes.EVEN);

  @TempDir static Path directory;
  private static EmbeddedHdfs hdfs;
  private static Told driver;

  /** A driver in this process, told line by line. */
  private static final class Told {
    private final PrintStream commands;
    private final BufferedReader answers;
    private final Thread thread;
    private final AtomicReference<IOException> failure = new AtomicReference<>();
    private final Map<Long, JsonNode> early = new HashMap<>();
    private long id;

    Told(EmbeddedHdfs hdfs) throws IOException {
      PipedOutputStream in = new PipedOutputStream();
      PipedOutputStream out = new PipedOutputStream();
      InputStreamReader read =
          new InputStreamReader(new PipedInputStream(in, 1 << 16), StandardCharsets.UTF_8);
      commands = new PrintStream(in, true, StandardCharsets.UTF_8);
      answers =
          new BufferedReader(
              new InputStreamReader(new PipedInputStream(out, 1 << 20), StandardCharsets.UTF_8));
      PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
      thread =
          new Thread(
              () -> {
                try {
                  LabDriver.run(hdfs.connection(), read, print);
                } catch (IOException e) {
                  failure.set(e);
                }
              });
      thread.start();
    }

    long send(String command) {
      commands.println("{\"id\":" + ++id + ",\"command\":" + command + "}");
      return id;
    }

    JsonNode answerTo(long asked) throws IOException {
      while (!early.containsKey(asked)) {
        JsonNode next = LabDriver.JSON.readTree(answers.readLine());
        early.put(next.path("id").asLong(), next);
      }
      return early.remove(asked);
    }

    <A extends Answer> A tell(Command command, Class<A> answer) throws IOException {
      JsonNode said = answerTo(send(LabDriver.JSON.writeValueAsString(command)));
      assertFalse(said.has("error"), () -> command + ": " + said);
      assertTrue(said.path("ended").asDouble() >= said.path("begun").asDouble());
      return LabDriver.JSON.treeToValue(said.path("answer"), answer);
    }

    void tell(Command command) throws IOException {
      tell(command, Answer.Done.class);
    }

    String refused(String command) throws IOException {
      return answerTo(send(command)).path("error").asText();
    }

    void end() throws IOException, InterruptedException {
      commands.close();
      thread.join();
      IOException ended = failure.get();
      if (ended != null) {
        throw ended;
      }
    }
  }

  @BeforeAll
  static void start() throws IOException {
    hdfs = EmbeddedHdfs.start(new EmbeddedSettings(3, NODES, BLOCK, directory, Map.of()));
    driver = new Told(hdfs);
  }

  @AfterAll
  static void stop() throws Exception {
    driver.end();
    hdfs.close();
  }

  private static Answer.Written write(String path, int replication) throws IOException {
    return driver.tell(
        new Command.Write(path, 2, FILE, replication, BLOCK, 2, 7), Answer.Written.class);
  }

  private static Answer.RangeRead read(String path, Command.Client client, long offset, long length)
      throws IOException {
    Map<String, String> shape = Map.of("braid.client.degraded.shape", "star");
    return driver.tell(
        new Command.Read(path, client, shape, offset, length, length > 0), Answer.RangeRead.class);
  }

  private static List<Answer.Block> blocks(String path) throws IOException {
    return driver.tell(new Command.Blocks(path), Answer.BlockLocations.class).blocks();
  }

  private static int indexOf(String host) {
    return IntStream.range(0, NODES)
        .filter(i -> hdfs.nodeName(i).equals(host))
        .findFirst()
        .orElseThrow();
  }

  /** Each copy is a block of the stripe's, and needs a place of its own. */
  @Test
  void convertsWithAsManyCopiesOfParityAsAsked() throws IOException {
    driver.tell(new Command.MakeDirectory("/copies", "rs-4-2", ""));
    write("/copies", 3);
    driver.tell(new Command.AwaitWhole("/copies", 30, false), Answer.Whole.class);
    Command.Placement twice = new Command.Placement(0, 0, "", 2);
    Command command =
        new Command.Convert(List.of("/copies"), "rs-4-2", twice, IN_ORDER, 2, 16384, 1);
    String error = driver.refused(LabDriver.JSON.writeValueAsString(command));
    assertTrue(error.contains("parity x2 needs places for the 8 blocks"), error);
  }

  @Test
  void convertsLosesReadsAndRepairs() throws IOException {
    driver.tell(new Command.MakeDirectory("/ear", "rs-4-2", ""));
    Answer.Written written = write("/ear", 3);
    assertEquals(2 * FILE, written.bytes());
    assertNotEquals(written.files().get(0).crc32c(), written.files().get(1).crc32c());
    driver.tell(new Command.AwaitWhole("/ear", 30, false), Answer.Whole.class);
    Answer.Converted converted =
        driver.tell(
            new Command.Convert(
                List.of("/ear"), "rs-4-2", Command.Placement.USUAL, IN_ORDER, 2, 16384, 1),
            Answer.Converted.class);
    assertEquals(List.of(), converted.skipped());
    assertEquals(2, converted.stripes());
    assertEquals(0, converted.crossRackDataBlocks());
    assertTrue(converted.encodeSeconds() > 0 && converted.encodeSeconds() <= converted.seconds());
    assertEquals(6 * FILE, converted.storedBefore());
    assertEquals(3 * FILE, converted.storedAfter());
    assertTrue(converted.usedPeak() >= converted.usedBefore());
    Answer.Stored stored = driver.tell(new Command.Usage("/ear"), Answer.Stored.class);
    assertEquals(2 * FILE, stored.content());
    assertEquals(3 * FILE, stored.stored());

    Answer.WrittenFile file = written.files().get(0);
    String path = file.path();
    assertEquals(file.crc32c(), read(path, Command.Client.PLAIN, 0, 0).crc32c());
    Answer.RangeRead second = read(path, Command.Client.BRAID, BLOCK, BLOCK);
    driver.tell(new Command.AwaitWhole("/ear", 30, false), Answer.Whole.class);
    Answer.Block lost = blocks(path).get(1);
    assertEquals(BLOCK, lost.offset());
    assertEquals(1, lost.nodes().size());
    int node = indexOf(lost.nodes().get(0).host());
    hdfs.stopNode(node);
    driver.tell(new Command.AwaitNodes(NODES - 1, 30));
    Answer.RangeRead degraded = read(path, Command.Client.BRAID, BLOCK, BLOCK);
    assertEquals(second.crc32c(), degraded.crc32c());
    assertEquals(BLOCK, degraded.bytes());
    assertEquals(BLOCK, degraded.counters().get("braid_degraded_bytes"));

    Answer.Repaired repaired =
        driver.tell(
            new Command.Repair("/", "star", "mppr", 0, 0, 2, 16384, 1), Answer.Repaired.class);
    assertEquals(List.of(), repaired.unrepairable());
    assertTrue(repaired.blocks().stream().anyMatch(b -> b.path().equals(path)), "" + repaired);
    assertTrue(repaired.rebuildSeconds() > 0 && repaired.rebuildSeconds() <= repaired.seconds());
    assertTrue(repaired.phases().waitSeconds() > 0, "" + repaired.phases());
    assertTrue(repaired.phases().readSeconds() >= repaired.phases().waitSeconds());
    assertEquals(file.crc32c(), read(path, Command.Client.PLAIN, 0, 0).crc32c());
    hdfs.startNode(node);
    driver.tell(new Command.AwaitNodes(NODES, 30));
    driver.tell(new Command.Restore("/ear"));
    assertEquals(3, blocks(path).get(0).nodes().size());
    driver.tell(new Command.Delete("/ear"));
    assertTrue(driver.refused("{\"do\":\"blocks\",\"path\":\"/ear\"}").contains("/ear"));
  }

  @Test
  void copiesIntoHdfsOwnErasureCoding() throws IOException {
    driver.tell(new Command.MakeDirectory("/striped", "", "XOR-2-1-1024k"));
    driver.tell(new Command.MakeDirectory("/source", "", ""));
    Answer.WrittenFile file =
        driver
            .tell(
                new Command.Write("/source/f", 1, 3 << 20, 3, 1 << 20, 1, 3), Answer.Written.class)
            .files()
            .get(0);
    Answer.Copied copied =
        driver.tell(new Command.Copy("/source", "/striped", 2, true), Answer.Copied.class);
    assertEquals(3 << 20, copied.bytes());
    assertEquals(1, copied.files());
    Answer.Whole whole =
        driver.tell(new Command.AwaitWhole("/source/f", 30, false), Answer.Whole.class);
    assertTrue(whole.wholeAfter() >= 0);
    assertEquals(file.crc32c(), read("/source/f", Command.Client.PLAIN, 0, 0).crc32c());
    // Two groups, of which the second has one cell: 3 and 2 units.
    List<Answer.Block> groups = blocks("/source/f");
    assertEquals(List.of(3, 2), groups.stream().map(group -> group.nodes().size()).toList());
    Answer.Stored stored = driver.tell(new Command.Usage("/source"), Answer.Stored.class);
    // Two cells and their parity, then one and its parity.
    assertEquals(5 << 20, stored.stored());
    driver.tell(new Command.Delete("/source"));
  }

  @Test
  void movesReplicasAsTheBalancerDoes() throws IOException {
    driver.tell(new Command.Write("/moved", 1, BLOCK, 1, BLOCK, 1, 5), Answer.Written.class);
    String from = blocks("/moved").get(0).nodes().get(0).host();
    String to = hdfs.nodeName((indexOf(from) + 1) % NODES);
    Answer.Moved moved =
        driver.tell(new Command.MoveBlock("/moved", 0, "", to), Answer.Moved.class);
    assertEquals(from, moved.from());
    assertEquals(BLOCK, moved.bytes());
    assertTrue(
        driver
            .refused(
                "{\"do\":\"move-block\",\"path\":\"/moved\",\"block\":1,\"from\":\"\",\"to\":\"x\"}")
            .contains("has 1 blocks"));
    driver.tell(new Command.Delete("/moved"));
  }

  @Test
  void loadsGoOnBesideOtherOrders() throws Exception {
    driver.tell(new Command.MakeDirectory("/load", "", ""));
    write("/load", 2);
    Map<String, String> none = Map.of();
    driver.tell(
        new Command.StartLoad(
            "closed",
            Command.Work.READ,
            "/load",
            BLOCK,
            0,
            0,
            0,
            2,
            true,
            Command.Client.BRAID,
            none,
            1));
    driver.tell(
        new Command.StartLoad(
            "open",
            Command.Work.WRITE,
            "/load",
            BLOCK,
            2,
            BLOCK,
            20,
            4,
            false,
            Command.Client.PLAIN,
            none,
            1));
    assertTrue(
        driver.refused("{\"do\":\"stop-load\",\"name\":\"other\"}").contains("no load other runs"));
    Await.until("the open load to write", () -> files("/load") > 2);
    Answer.Load open = driver.tell(new Command.StopLoad("open"), Answer.Load.class);
    Answer.Load closed = driver.tell(new Command.StopLoad("closed"), Answer.Load.class);
    for (Answer.Load load : List.of(open, closed)) {
      assertEquals(List.of(), load.failures());
      assertFalse(load.requests().isEmpty());
      assertEquals(load.requests().size() * (long) BLOCK, load.bytes());
      assertTrue(load.requests().stream().allMatch(r -> r.seconds() > 0 && r.at() > 0));
    }
    assertEquals(2 + open.requests().size(), files("/load"));
    driver.tell(new Command.Delete("/load"));
  }

  private static long files(String path) throws IOException {
    return blocks(path).stream().map(Answer.Block::path).distinct().count();
  }

  @Test
  void whatIsNotUnderstoodIsAnswered() throws IOException {
    assertTrue(driver.refused("{\"do\":\"sing\"}").contains("sing"));
    assertTrue(driver.refused("{\"do\":\"delete\"}").contains("path"));
    assertTrue(driver.refused("{\"do\":\"delete\",\"path\":\"/x\",\"pth\":1}").contains("pth"));
    assertTrue(driver.refused("7").startsWith("not understood"));
  }

  private static long equal(String path, GeneratedContent content, Command.Client client)
      throws IOException {
    Answer.Compared compared =
        driver.tell(
            new Command.Compare(path, client, content, 0, content.length(), false),
            Answer.Compared.class);
    assertEquals(content.length(), compared.fileBytes());
    return compared.equal();
  }

  @Test
  void changesAreMadeOnceHoweverOftenTheyAreGiven() throws IOException {
    GeneratedContent one = GeneratedContent.of(1, 2 * BLOCK + 7);
    GeneratedContent more = GeneratedContent.of(2, BLOCK);
    GeneratedContent all = one.plus(more);
    List<Command.Change> changes =
        List.of(
            new Command.AllowSnapshots("/changes"),
            new Command.Create("/changes/f", one, 3, BLOCK),
            new Command.Snapshot("/changes", "s"),
            new Command.Append("/changes/f", one, more),
            new Command.Truncate("/changes/f", all.length() - 3),
            new Command.Create("/changes/g", more, 2, BLOCK),
            new Command.Create("/changes/h", one, 2, BLOCK),
            new Command.Concat("/changes/h", List.of("/changes/g"), all.length()),
            new Command.Rename("/changes/h", "/changes/new/h"),
            new Command.SetReplication("/changes/new/h", 3),
            new Command.SetMode("/changes/new/h", 0600));
    for (Command.Change change : changes) {
      driver.tell(change);
      // Whoever got no answer gives it again.
      driver.tell(change);
    }
    for (Command.Client client : Command.Client.values()) {
      assertEquals(all.length() - 3, equal("/changes/f", all.first(all.length() - 3), client));
      assertEquals(all.length(), equal("/changes/new/h", all, client));
      assertEquals(one.length(), equal("/changes/.snapshot/s/f", one, client));
      GeneratedContent other = one.first(BLOCK + 5).plus(one).plus(one).first(all.length());
      assertEquals(BLOCK + 5, equal("/changes/new/h", other, client));
    }
    assertEquals(
        all.crc32c(),
        driver
            .tell(
                new Command.Checksum("/changes/new/h", Command.Client.PLAIN), Answer.Checked.class)
            .crc32c());
    driver.tell(new Command.DropSnapshot("/changes", "s"));
    driver.tell(new Command.DropSnapshot("/changes", "s"));
    driver.tell(new Command.Delete("/changes"));
    driver.tell(new Command.Delete("/changes"));
  }

  @Test
  void filesThatWereJoinedFromPartsOfOddLengthsAreAppendedTo() throws IOException {
    GeneratedContent one = GeneratedContent.of(1, 2 * BLOCK + 264);
    GeneratedContent two = GeneratedContent.of(2, BLOCK + 409);
    GeneratedContent joined = one.plus(two);
    GeneratedContent more = GeneratedContent.of(3, BLOCK + 77);
    driver.tell(new Command.Create("/joined/f", one, 3, BLOCK));
    driver.tell(new Command.Create("/joined/g", two, 3, BLOCK));
    driver.tell(new Command.Concat("/joined/f", List.of("/joined/g"), joined.length()));
    driver.tell(new Command.Append("/joined/f", joined, more));
    GeneratedContent all = joined.plus(more);
    assertEquals(all.length(), equal("/joined/f", all, Command.Client.PLAIN));
    driver.tell(new Command.Delete("/joined"));
  }

  @Test
  void anAuditNamesWhatIsNotAsItIsToBe() throws IOException {
    driver.tell(new Command.Create("/audit/f", GeneratedContent.of(3, 3 * BLOCK), 3, BLOCK));
    driver.tell(new Command.AwaitWhole("/audit", 30, false), Answer.Whole.class);
    Answer.Audited good = driver.tell(new Command.Audit("/audit"), Answer.Audited.class);
    assertEquals(List.of(), good.problems());
    assertEquals(1, good.files());
    assertEquals(3 * BLOCK, good.bytes());
    // One replica of each block, as if Braid had dropped the others without a stripe.
    driver.tell(new Command.SetReplication("/audit/f", 1));
    Answer.Audited bad = driver.tell(new Command.Audit("/audit"), Answer.Audited.class);
    while (bad.problems().isEmpty()) {
      bad = driver.tell(new Command.Audit("/audit"), Answer.Audited.class);
    }
    assertTrue(bad.problems().get(0).contains("in no whole stripe"), bad.problems().get(0));
    driver.tell(new Command.Delete("/audit"));
  }
}
