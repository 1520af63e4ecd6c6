package org.braid.sim.load;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.braid.placement.PreEncodingStore;
import org.braid.placement.Topology;
import org.braid.sim.load.EncodedReads.Stripe;
import org.braid.sim.load.EncodingRun.Encoding;
import org.braid.sim.load.EncodingRun.Setting;
import org.braid.sim.load.EncodingRun.Share;
import org.braid.sim.time.Streams;

/** The stripes of what was written before a run. */
final class WrittenStripes {
  private final Setting setting;
  private final Topology topology;
  private final Streams streams;

  WrittenStripes(Setting setting, Topology topology, Streams streams) {
    this.setting = setting;
    this.topology = topology;
    this.streams = streams;
  }

  /** What each process is to encode; those that share all of it have the same. */
  List<Deque<Stripe>> shares(IntPredicate eligible) {
    Encoding work = setting.encoding();
    List<Deque<Stripe>> shares = new ArrayList<>();
    if (work.share() == Share.NEXT) {
      Deque<Stripe> all =
          new ArrayDeque<>(stripes("encode", work.processes() * work.stripes(), eligible));
      return Collections.nCopies(work.processes(), all);
    }
    for (int process = 0; process < work.processes(); process++) {
      shares.add(new ArrayDeque<>());
    }
    // Racks take turns; what is written beyond a rack's share stays replicated.
    int[] racks =
        IntStream.range(0, topology.nodes())
            .filter(eligible)
            .map(topology::rackOf)
            .distinct()
            .toArray();
    boolean ofARack = work.share() == Share.OF_A_RACK;
    Iterator<Stripe> written = written("encode", eligible);
    for (int missing = work.processes() * work.stripes(); missing > 0; ) {
      Stripe stripe = written.next();
      int core = stripe.data().coreRack();
      boolean taken = false;
      for (int process = 0; process < work.processes() && !taken; process++) {
        taken =
            shares.get(process).size() < work.stripes()
                && (!ofARack || core < 0 || racks[process % racks.length] == core);
        if (taken) {
          shares.get(process).add(stripe);
          missing--;
        }
      }
    }
    return shares;
  }

  /**
   * Stripes as the policy makes them of blocks that are written one after the other, for ever.
   *
   * @param purpose of their random numbers
   */
  private Iterator<Stripe> written(String purpose, IntPredicate eligible) {
    RandomGenerator blocks = streams.of("places of blocks to " + purpose);
    RandomGenerator layouts = streams.of("layouts to " + purpose);
    PreEncodingStore<Integer> own = new PreEncodingStore<>(setting.k());
    return Stream.generate(() -> store(own, eligible, blocks).sealed())
        .flatMap(Optional::stream)
        .map(stripe -> new Stripe(stripe, setting.layout().of(stripe, eligible, layouts)))
        .iterator();
  }

  /** So many of them. */
  List<Stripe> stripes(String purpose, int count, IntPredicate eligible) {
    Iterator<Stripe> written = written(purpose, eligible);
    return Stream.generate(written::next).limit(count).toList();
  }

  /** Places a block as the policy does, from a random writer. */
  PreEncodingStore.Stored store(
      PreEncodingStore<Integer> blocks, IntPredicate eligible, RandomGenerator random) {
    int first = PreEncodingStore.first(topology, eligible, -1, setting.replicas(), random);
    var cluster = new PreEncodingStore.Cluster(topology, setting.placer(), eligible);
    return blocks.add(0, cluster, first, setting.replicas(), random);
  }
}
