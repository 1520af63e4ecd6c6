package org.braid.hdfs.namenode.host;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.braid.hdfs.metrics.Cause;
import org.braid.hdfs.metrics.LinkClass;
import org.braid.hdfs.proto.BraidProtos.SentProto;
import org.braid.hdfs.proto.BraidProtos.TrafficProto;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that DataNodes report in heartbeats to have moved since this NameNode started.
 * Heartbeats are not authenticated. So these figures are only displayed, impossible values are
 * dropped, and the memory for each node is constant. Thread-safe.
 */
public final class NodeTraffic {
  /** Highest plausible rate of a node: 100 GB/s. */
  static final long MOST_PER_SECOND = 100_000_000_000L;

  /** Counters stand in this order. */
  private static final List<Cause> CAUSES = List.of(Cause.values());

  private static final List<LinkClass> CLASSES = List.of(LinkClass.values());
  private static final int LINKS = CLASSES.size();
  private static final int READ = CAUSES.size() * LINKS;
  private static final int WRITTEN = READ + 1;
  private static final int COUNTERS = WRITTEN + 1;

  /** A counter is never so large. */
  private static final long LARGEST = 1L << 60;

  private final LongSupplier clock;
  private final long begun;
  private final Map<String, Node> nodes = new HashMap<>();
  private final long[] all = new long[COUNTERS];
  private final RateWindow rates = new RateWindow(CAUSES.size() + 2);

  private static final class Node {
    private long run;
    private long heard;
    private long[] last;
    private final long[] moved = new long[COUNTERS];
    private final RateWindow rates = new RateWindow(3);

    Node(long run, long heard, long[] last) {
      this.run = run;
      this.heard = heard;
      this.last = last;
    }
  }

  /**
   * The traffic of a node.
   *
   * @param sent bytes that Braid sent from the node, by cause and class of link; zeros are left out
   * @param clientRead bytes that HDFS clients read
   * @param clientWritten bytes that HDFS clients wrote
   * @param perSecond rates over the last minute
   */
  public record Flow(
      Map<Cause, Map<LinkClass, Long>> sent,
      long clientRead,
      long clientWritten,
      PerSecond perSecond) {
    /** No traffic. */
    public static final Flow NONE = new Flow(Map.of(), 0, 0, new PerSecond(0, 0, 0));

    /** Bytes that Braid sent. */
    public long sentBytes() {
      return sent.values().stream().mapToLong(NodeTraffic::sum).reduce(0, NodeTraffic::plus);
    }

    /** Bytes that Braid sent for a cause. */
    public long sentBytes(Cause cause) {
      return sum(sent.getOrDefault(cause, Map.of()));
    }
  }

  /** Bytes a second that Braid sent and that HDFS clients read and wrote. */
  public record PerSecond(double sent, double clientRead, double clientWritten) {}

  /**
   * The traffic of all nodes.
   *
   * @param seconds since the beginning of the count
   * @param nodes traffic by the node's UUID
   * @param all sum over all nodes, including nodes that have left
   * @param causes bytes a second that Braid sent over the last minute, by cause
   */
  public record Snapshot(
      long seconds, Map<String, Flow> nodes, Flow all, Map<Cause, Double> causes) {}

  /**
   * Starts without traffic.
   *
   * @param clock milliseconds that never run backwards
   */
  public NodeTraffic(LongSupplier clock) {
    this.clock = clock;
    begun = clock.getAsLong();
  }

  private static long sum(Map<LinkClass, Long> links) {
    return links.values().stream().mapToLong(Long::longValue).reduce(0, NodeTraffic::plus);
  }

  private static long plus(long a, long b) {
    return Math.min(LARGEST, a + b); // both are at most that
  }

  /** Records the counters of a node's heartbeat; the caller knows that the node is registered. */
  public synchronized void heard(String uuid, TrafficProto traffic) {
    long now = clock.getAsLong();
    long[] told = counters(traffic);
    if (told == null) {
      return;
    }
    Node node = nodes.get(uuid);
    if (node == null) {
      // What it moved before is not known to have been moved since this NameNode started.
      node = new Node(traffic.getRun(), now, told);
      nodes.put(uuid, node);
    } else {
      long[] grown = grown(node, traffic.getRun(), told);
      long seconds = Math.max(10, (now - node.heard) / 1000 + 1);
      if (Arrays.stream(grown).anyMatch(bytes -> bytes / seconds > MOST_PER_SECOND)) {
        return;
      }
      node.run = traffic.getRun();
      node.heard = now;
      node.last = told;
      for (int i = 0; i < COUNTERS; i++) {
        node.moved[i] = plus(node.moved[i], grown[i]);
        all[i] = plus(all[i], grown[i]);
      }
    }
    node.rates.look(now, sent(node.moved), node.moved[READ], node.moved[WRITTEN]);
    rates.look(now, summed(all));
  }

  private static long[] grown(Node node, long run, long[] told) {
    long[] grown = new long[COUNTERS];
    for (int i = 0; i < COUNTERS; i++) {
      grown[i] = run == node.run ? Math.max(0, told[i] - node.last[i]) : told[i];
    }
    return grown;
  }

  /** The counters of a message; null when they cannot be true. */
  private static long @Nullable [] counters(TrafficProto traffic) {
    long[] told = new long[COUNTERS];
    for (SentProto sent : traffic.getSentList()) {
      Optional<Cause> cause = Cause.named(sent.getCause());
      Optional<LinkClass> link = LinkClass.named(sent.getLink());
      if (cause.isPresent() && link.isPresent()) {
        told[index(cause.get(), link.get())] = sent.getBytes();
      }
    }
    told[READ] = traffic.getClientRead();
    told[WRITTEN] = traffic.getClientWritten();
    return Arrays.stream(told).allMatch(bytes -> bytes >= 0 && bytes <= LARGEST) ? told : null;
  }

  private static int index(Cause cause, LinkClass link) {
    return CAUSES.indexOf(cause) * LINKS + CLASSES.indexOf(link);
  }

  private static long sent(long[] counters) {
    return Arrays.stream(counters, 0, READ).reduce(0, NodeTraffic::plus);
  }

  /** By cause, then what clients read and wrote. */
  private static long[] summed(long[] counters) {
    int causes = CAUSES.size();
    long[] summed = new long[causes + 2];
    for (int i = 0; i < causes; i++) {
      summed[i] = Arrays.stream(counters, i * LINKS, (i + 1) * LINKS).reduce(0, NodeTraffic::plus);
    }
    summed[causes] = counters[READ];
    summed[causes + 1] = counters[WRITTEN];
    return summed;
  }

  /** Forgets nodes that are no longer registered; their bytes stay in the sum. */
  public synchronized void keep(Set<String> registered) {
    nodes.keySet().retainAll(registered);
  }

  /** The traffic of all nodes now. */
  public synchronized Snapshot snapshot() {
    long now = clock.getAsLong();
    Map<String, Flow> flows = new HashMap<>();
    nodes.forEach(
        (uuid, node) ->
            flows.put(
                uuid,
                flow(
                    node.moved,
                    new PerSecond(
                        node.rates.perSecond(now, 0, sent(node.moved)),
                        node.rates.perSecond(now, 1, node.moved[READ]),
                        node.rates.perSecond(now, 2, node.moved[WRITTEN])))));
    long[] summed = summed(all);
    int causes = CAUSES.size();
    Map<Cause, Double> byCause = new EnumMap<>(Cause.class);
    double sent = 0;
    for (Cause cause : CAUSES) {
      int at = CAUSES.indexOf(cause);
      double rate = rates.perSecond(now, at, summed[at]);
      byCause.put(cause, rate);
      sent += rate;
    }
    PerSecond together =
        new PerSecond(
            sent,
            rates.perSecond(now, causes, summed[causes]),
            rates.perSecond(now, causes + 1, summed[causes + 1]));
    return new Snapshot((now - begun) / 1000, flows, flow(all, together), byCause);
  }

  private static Flow flow(long[] counters, PerSecond perSecond) {
    Map<Cause, Map<LinkClass, Long>> sent = new EnumMap<>(Cause.class);
    for (Cause cause : CAUSES) {
      for (LinkClass link : CLASSES) {
        long bytes = counters[index(cause, link)];
        if (bytes > 0) {
          sent.computeIfAbsent(cause, key -> new EnumMap<>(LinkClass.class)).put(link, bytes);
        }
      }
    }
    return new Flow(sent, counters[READ], counters[WRITTEN], perSecond);
  }
}
