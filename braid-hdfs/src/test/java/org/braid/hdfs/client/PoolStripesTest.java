package org.braid.hdfs.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.security.AccessControlException;
import org.braid.hdfs.client.degraded.StripeLookup.Cluster;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.testing.Await;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whom a client asks that reads through a router. */
final class PoolStripesTest {
  private static final List<Long> BLOCK = List.of(7L);

  /** What is asked, as source and path. */
  private final List<String> asked = new ArrayList<>();

  private final List<String> warnings = new ArrayList<>();
  private final List<String> closed = new ArrayList<>();

  /** The pools of name services; of those that are missing the NameNode has no plugin. */
  private final Map<String, String> pools = new HashMap<>();

  private final Set<String> names = new TreeSet<>();
  private final Set<String> down = new TreeSet<>();
  private final Source router = new Source("router", true);
  private @Nullable IOException refusal;
  private long now;

  /** What asking a name service for its pool does first. */
  private Runnable looking = () -> {};

  private final PoolStripes stripes =
      new PoolStripes(
          URI.create("hdfs://router"),
          router,
          new Services(),
          path -> path.length(),
          () -> now,
          warnings::add);

  private final class Source implements StripeSource {
    private final String name;
    private boolean absent;
    private String saysNo = "";

    /** Whether it is not known to be absent any more after the next question. */
    private boolean lapses;

    Source(String name, boolean absent) {
      this.name = name;
      this.absent = absent;
    }

    @Override
    public boolean absent() {
      return absent;
    }

    @Override
    public String refusal() {
      return saysNo;
    }

    @Override
    public List<StripeStatus> stripes(String path, List<Long> blockIds) throws IOException {
      if (!absent) {
        asked.add(name + path);
        if (refusal != null) {
          throw refusal;
        }
      }
      absent &= !lapses;
      return List.of();
    }

    @Override
    public Cluster cluster(Collection<String> uuids) {
      return new Cluster(Map.of(), Optional.of(name));
    }

    @Override
    public void close() {
      closed.add(name);
    }
  }

  private final class Services implements PoolStripes.Services {
    @Override
    public Set<String> names() {
      return names;
    }

    @Override
    public Optional<String> blockPool(String name) throws IOException {
      asked.add(name + "?");
      looking.run();
      if (down.contains(name)) {
        throw new ConnectException("down");
      }
      return Optional.ofNullable(pools.get(name));
    }

    @Override
    public StripeSource open(String name) {
      return new Source(name, false);
    }
  }

  private void federation() {
    names.addAll(List.of("fed", "one", "two"));
    pools.put("one", "BP-1");
    pools.put("two", "BP-2");
  }

  private Optional<String> rack(String pool) throws IOException {
    return stripes.cluster(pool, List.of()).callerRack();
  }

  @AfterEach
  void warnsOnce() {
    assertTrue(warnings.size() <= 1, warnings.toString());
  }

  @Test
  void aNameNodeThatKnowsBraidIsAskedByThePathAndNobodyElse() throws IOException {
    federation();
    router.absent = false;
    stripes.stripes("/f", "BP-1", BLOCK);
    assertEquals(List.of("router/f"), asked);
    assertEquals(Optional.of("router"), rack("BP-1"));
    assertFalse(stripes.absent());
    router.absent = false;
    refusal = new AccessControlException("no");
    assertThrows(AccessControlException.class, () -> stripes.stripes("/f", "BP-1", BLOCK));
    assertEquals(List.of(), warnings);
  }

  @Test
  void behindARouterWhoHasThePoolIsAskedByTheNumberOfTheFile() throws IOException {
    federation();
    stripes.stripes("/m/f", "BP-1", BLOCK);
    stripes.stripes("/m/file", "BP-2", BLOCK);
    stripes.stripes("/m/f", "BP-1", BLOCK);
    assertEquals(
        List.of(
            "fed?",
            "one?",
            "one/.reserved/.inodes/4",
            "fed?",
            "one?",
            "two?",
            "two/.reserved/.inodes/7",
            "one/.reserved/.inodes/4"),
        asked);
    assertEquals(Optional.of("two"), rack("BP-2"));
    assertEquals(Optional.of("one"), rack("BP-1"));
    assertFalse(stripes.absent());
    assertEquals(List.of(), warnings);
    stripes.close();
    assertEquals(Set.of("router", "one", "two"), Set.copyOf(closed));
  }

  /** That it does not know Braid is believed for a while only, then it is asked again. */
  @Test
  void whoHasThePoolIsAskedAlsoWhenTheRouterMayKnowBraidByNow() throws IOException {
    federation();
    stripes.stripes("/m/f", "BP-2", BLOCK);
    router.absent = false;
    assertEquals(Optional.of("two"), rack("BP-2"));
    assertEquals(Optional.of("router"), rack("BP-3"));
  }

  @Test
  void whoHasThePoolIsAskedAlsoWhenTheRouterIsToBeAskedAgainMeanwhile() throws IOException {
    federation();
    router.lapses = true;
    stripes.stripes("/m/f", "BP-2", BLOCK);
    assertEquals("two/.reserved/.inodes/4", asked.get(asked.size() - 1));
    assertEquals(Optional.of("two"), rack("BP-2"));
  }

  @Test
  void whereNoNameServiceIsKnownTheLogSaysWhatIsMissing() throws IOException {
    assertEquals(List.of(), stripes.stripes("/f", "BP-1", BLOCK));
    stripes.stripes("/f", "BP-2", BLOCK);
    assertTrue(stripes.absent());
    assertTrue(warnings.get(0).contains("dfs.nameservices must name"), warnings.get(0));
  }

  /** Whoever reads only that it may be a router looks in the wrong place. */
  @Test
  void whomTheServiceAclDoesNotNameIsToldSo() throws IOException {
    router.saysNo = "User eve is not authorized";
    assertEquals(List.of(), stripes.stripes("/f", "BP-1", BLOCK));
    assertEquals(
        "hdfs://router does not let this user call Braid: files are read as plain HDFS files, lost"
            + " blocks are not rebuilt (User eve is not authorized; if it is a router,"
            + " dfs.nameservices must name the NameNodes behind it)",
        warnings.get(0));
  }

  /** Its configuration may name other clusters, as for copies between them. */
  @Test
  void whomTheServiceAclDoesNotNameIsToldSoBesideOtherNameServices() throws IOException {
    names.add("other");
    router.saysNo = "User eve is not authorized";
    assertEquals(List.of(), stripes.stripes("/f", "BP-1", BLOCK));
    assertEquals(
        "hdfs://router does not let this user call Braid: files are read as plain HDFS files, lost"
            + " blocks are not rebuilt (User eve is not authorized; none of the name services"
            + " [other] is known to have BP-1, other does not know Braid)",
        warnings.get(0));
  }

  /** One that is down may have it, and comes back. */
  @Test
  void aPoolThatNobodyHasIsLookedForAgainLater() throws IOException {
    federation();
    down.add("two");
    assertEquals(List.of(), stripes.stripes("/f", "BP-2", BLOCK));
    int before = asked.size();
    stripes.stripes("/f", "BP-2", BLOCK);
    assertEquals(before, asked.size());
    assertTrue(warnings.get(0).contains("fed does not know Braid, two: down"), warnings.get(0));
    assertFalse(stripes.absent(), "the other one is known");
    now += TimeUnit.SECONDS.toNanos(2);
    down.clear();
    stripes.stripes("/f", "BP-2", BLOCK);
    assertEquals("two/.reserved/.inodes/2", asked.get(asked.size() - 1));
  }

  /** Each question takes seconds where a host is down: readers do not wait one after another. */
  @Test
  void readersThatLookForAPoolAtOnceAskOnce() throws Exception {
    names.add("one");
    down.add("one");
    Thread other =
        new Thread(
            () -> {
              try {
                stripes.stripes("/g", "BP-1", BLOCK);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    looking =
        () -> {
          looking = () -> {};
          other.start();
          Await.until("the other one waits", () -> other.getState() == Thread.State.BLOCKED);
        };
    assertEquals(List.of(), stripes.stripes("/f", "BP-1", BLOCK));
    other.join();
    assertEquals(List.of("one?"), asked);
  }

  /** An application that ends would wait for as long as a call may take. */
  @Test
  void closingDoesNotWaitForANameServiceThatDoesNotAnswer() throws IOException {
    names.add("one");
    pools.put("one", "BP-1");
    looking =
        () -> {
          Thread closer = new Thread(stripes::close);
          closer.start();
          Await.until("it is closed", () -> !closer.isAlive());
        };
    assertEquals(List.of(), stripes.stripes("/f", "BP-1", BLOCK));
    assertEquals(List.of("one?"), asked);
    assertEquals(List.of("router", "one"), closed, "also what was opened meanwhile");
    assertEquals(List.of(), warnings);
  }

  /** As with a token for the router alone. */
  @Test
  void whoMayNotAskTheNameNodeReadsAsHdfsDoes() throws IOException {
    federation();
    refusal = new AccessControlException("Client cannot authenticate");
    assertEquals(List.of(), stripes.stripes("/f", "BP-1", BLOCK));
    stripes.stripes("/f", "BP-1", BLOCK);
    assertTrue(warnings.get(0).contains("Client cannot authenticate"), warnings.get(0));
  }
}
