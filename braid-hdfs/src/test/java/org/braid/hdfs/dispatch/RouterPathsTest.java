package org.braid.hdfs.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.dispatch.MountTable.Place;
import org.braid.hdfs.dispatch.RouterPaths.Found;
import org.braid.hdfs.dispatch.RouterPaths.Located;
import org.braid.hdfs.dispatch.RouterPaths.Mark;
import org.junit.jupiter.api.Test;

/** Which NameNode has a path of a router. */
final class RouterPathsTest {
  private static final URI ROUTER = URI.create("hdfs://router:8888");
  private static final URI ONE = URI.create("hdfs://one");
  private static final URI TWO = URI.create("hdfs://two:8020");

  private final Map<String, List<Place>> mounts = new HashMap<>();
  private final Map<String, URI> services = new HashMap<>(Map.of("one", ONE, "two", TWO));

  /** Where the router finds paths; elsewhere than its mounts say, for some. */
  private final Map<String, List<String>> found = new HashMap<>();

  /** Entries of directories that the router lists as mounts; of some it lists nothing. */
  private final Map<String, List<String>> listed = new HashMap<>();

  private final Map<String, String> unlisted = new HashMap<>();

  private void mount(String path, Place... places) {
    mounts.put(path, List.of(places));
  }

  private static Place one(String path) {
    return new Place("one", path);
  }

  private static Place two(String path) {
    return new Place("two", path);
  }

  private Located locate(String... paths) throws IOException {
    MountTable table = new MountTable(mounts);
    RouterPaths.Holders holders =
        path -> {
          List<String> elsewhere = found.get(path);
          if (elsewhere == null && table.of(path).isEmpty()) {
            throw new IOException("no default name service");
          }
          return elsewhere == null
              ? table.of(path).stream().map(Place::service).toList()
              : elsewhere;
        };
    RouterPaths.Listing listing =
        path -> {
          if (unlisted.containsKey(path)) {
            throw new IOException(unlisted.get(path));
          }
          return listed.getOrDefault(path, List.of());
        };
    return new RouterPaths(ROUTER, services, table, holders, listing).locate(List.of(paths));
  }

  private String refusal(String... paths) {
    return assertThrows(RefusedException.class, () -> locate(paths)).getMessage();
  }

  @Test
  void theDeepestMountCounts() throws IOException {
    mount("/", one("/"));
    mount("/a", one("/x/y"));
    mount("/a/b", two("/"));
    assertEquals(new Located(ONE, List.of("/c/f")), locate("/c/f"));
    assertEquals(new Located(ONE, List.of("/x/y/f")), locate("/a/f"));
    assertEquals(new Located(ONE, List.of("/ab")), locate("/ab"));
    assertEquals(new Located(TWO, List.of("/")), locate("/a/b"));
    assertEquals(new Located(TWO, List.of("/c/f")), locate("/a/b/c/f"));
    assertEquals(new Located(ONE, List.of("/x/y/bc")), locate("/a/bc"));
    assertEquals(new Located(ONE, List.of("/ab", "/x/y/f")), locate("/ab", "/a/f"));
  }

  @Test
  void theRootMayBeADirectory() throws IOException {
    mount("/", two("/deep/er"));
    assertEquals(new Located(TWO, List.of("/deep/er")), locate("/"));
    assertEquals(new Located(TWO, List.of("/deep/er/d")), locate("/d"));
  }

  @Test
  void withoutAMountTheDefaultNameServiceHasThePath() throws IOException {
    mount("/a", one("/a"));
    found.put("/tmp/f", List.of("two"));
    assertEquals(new Located(TWO, List.of("/tmp/f")), locate("/tmp/f"));
    assertEquals(
        "the router does not tell where hdfs://router:8888/none is: no default name service",
        refusal("/none"));
  }

  @Test
  void aSpreadDirectoryIsRefusedWithItsPlaces() {
    mount("/both", one("/b"), two("/c"), new Place("three", "/d"));
    assertEquals(
        "hdfs://router:8888/both/f is spread over 3 places: give one at a time, hdfs://one/b/f and"
            + " hdfs://two:8020/c/f and /d/f in name service three",
        refusal("/both/f"));
  }

  @Test
  void aDirectoryAboveMountsIsRefused() {
    mount("/", one("/"));
    for (String mount : List.of("/a", "/a/b", "/a/c", "/d")) {
      mount(mount, one(mount));
    }
    services.remove("two");
    assertEquals(
        "hdfs://router:8888/ has mounts below it (/a, /a/b, /a/c, ...), which may be in any name"
            + " service: give one of them, or -fs hdfs://one",
        refusal("/"));
    services.clear();
    assertEquals(
        "hdfs://router:8888/a has mounts below it (/a/b, /a/c), which may be in any name service:"
            + " give one of them",
        refusal("/a"));
  }

  @Test
  void whatTheConfigurationLacksIsNamed() {
    mount("/m", new Place("three", "/x"));
    assertEquals(
        "hdfs://router:8888/m/f is /x/f in the name service three, which the configuration does not"
            + " have: dfs.nameservices must name three, and dfs.namenode.rpc-address.three its"
            + " NameNode (of several, dfs.ha.namenodes.three and an address of each)",
        refusal("/m/f"));
  }

  @Test
  void pathsOfSeveralNameServicesAreRefused() {
    mount("/a", one("/x"));
    mount("/b", two("/y"));
    assertEquals(
        "the paths are in several name services (hdfs://one/x/f and hdfs://two:8020/y): give those"
            + " of one at a time",
        refusal("/a/f", "/b"));
  }

  /** A user is not told of mounts that he may not read, and sees the ones above them instead. */
  @Test
  void aMountThatIsNotSeenMisleadsNobody() throws IOException {
    mount("/", one("/"));
    found.put("/hidden/f", List.of("two"));
    String hidden = refusal("/hidden/f");
    String led = "/hidden/f in the name service two, and its mounts lead to one: ";
    assertTrue(hidden.contains(led), hidden);
    found.put("/spread/f", List.of("one", "two"));
    assertEquals(
        "the router finds hdfs://router:8888/spread/f in 2 name services (one, two), and it is to"
            + " be in one",
        refusal("/spread/f"));
  }

  /** Nor of those below a directory, which the router lists nevertheless. */
  @Test
  void aDirectoryAboveMountsThatAreNotSeenIsRefused() throws IOException {
    mount("/a", one("/x"));
    listed.put("/a", List.of("b", "c", "d", "e"));
    assertEquals(
        "hdfs://router:8888/a has mounts below it (at b, c, d, ... or deeper) that the router's"
            + " administration leaves out: they have just changed, or this user may not see all of"
            + " them; give -fs and the path as it is in the NameNode",
        refusal("/a"));
    assertEquals(new Located(ONE, List.of("/x/f")), locate("/a/f"));
    unlisted.put("/a/closed", "Permission denied");
    assertEquals(
        "the router does not list hdfs://router:8888/a/closed, which may have mounts below it that"
            + " this user may not see: Permission denied",
        refusal("/a/closed"));
  }

  private static Found found(String path, long number, long modified) {
    return new Found(path, Optional.of(new Mark(number, modified)));
  }

  private static String refusal(Found before, Found located, Found after) {
    return assertThrows(RefusedException.class, () -> RouterPaths.check(before, located, after))
        .getMessage();
  }

  /** In the same name service the number of the file tells. */
  @Test
  void anotherFileOfTheNameServiceIsRefused() throws IOException {
    Found given = found("hdfs://router:8888/f", 16390, 50);
    RouterPaths.check(given, found("hdfs://one/f", 16390, 50), given);
    String refusal = refusal(given, found("hdfs://one/f", 7, 50), given);
    String said = "hdfs://router:8888/f is not hdfs://one/f, where the router's mounts lead: ";
    assertTrue(refusal.startsWith(said), refusal);
    Found replaced = found("hdfs://router:8888/f", 16391, 50);
    refusal(given, found("hdfs://one/f", 16390, 50), replaced);
    refusal(given, found("hdfs://one/f", 16391, 50), replaced);
    Found none = new Found("hdfs://one/none", Optional.empty());
    List<List<Found>> lacking =
        List.of(
            List.of(given, none, given), List.of(none, given, given), List.of(given, given, none));
    for (List<Found> three : lacking) {
      IOException missing =
          assertThrows(
              FileNotFoundException.class,
              () -> RouterPaths.check(three.get(0), three.get(1), three.get(2)));
      assertEquals("hdfs://one/none does not exist", missing.getMessage());
    }
  }

  /** Name services of different clusters often have one name, and all roots have one number. */
  @Test
  void theSameNumberInAnotherClusterIsRefused() throws IOException {
    Found before = found("hdfs://router:8888/", 16385, 50);
    Found after = found("hdfs://router:8888/", 16385, 60);
    for (long changedMeanwhile : new long[] {50, 55, 60}) {
      RouterPaths.check(before, found("hdfs://one/", 16385, changedMeanwhile), after);
    }
    for (long elsewhere : new long[] {0, 49, 61}) {
      String refusal = refusal(before, found("hdfs://one/", 16385, elsewhere), after);
      assertTrue(refusal.contains("another cluster's name service by this name"), refusal);
    }
    refusal(before, found("hdfs://one/", 16385, 60), before);
  }
}
