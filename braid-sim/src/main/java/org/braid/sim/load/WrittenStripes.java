package org.braid.sim.load;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.braid.placement.EligibleNodes;
import org.braid.placement.replication.PreEncodingStore;
import org.braid.sim.load.EncodingRun.Encoding;
import org.braid.sim.load.EncodingRun.Setting;
import org.braid.sim.load.EncodingRun.Share;
import org.braid.sim.load.ReadsDuringEncoding.Stripe;
import org.braid.sim.time.RandomStreams;

/** Stripes of blocks that were written before a run. */
final class WrittenStripes {
  private final Setting setting;
  private final RandomStreams streams;

  WrittenStripes(Setting setting, RandomStreams streams) {
    this.setting = setting;
    this.streams = streams;
  }

  /** The stripes that each process encodes; processes that share all stripes get the same queue. */
  List<Deque<Stripe>> shares(EligibleNodes eligible) {
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
    // Racks take turns; stripes beyond a rack's share stay replicated.
    int[] racks =
        Arrays.stream(eligible.nodes()).map(eligible.topology()::rackOf).distinct().toArray();
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
   * An endless sequence of the stripes that the policy forms of written blocks.
   *
   * @param purpose names their random numbers
   */
  private Iterator<Stripe> written(String purpose, EligibleNodes eligible) {
    RandomGenerator blocks = streams.of("places of blocks to " + purpose);
    RandomGenerator layouts = streams.of("layouts to " + purpose);
    PreEncodingStore<Integer> own = new PreEncodingStore<>(setting.k());
    return Stream.generate(() -> store(own, eligible, blocks).sealed())
        .flatMap(Optional::stream)
        .map(stripe -> new Stripe(stripe, setting.layout().of(stripe, eligible, layouts)))
        .iterator();
  }

  /** The first stripes of the sequence. */
  List<Stripe> stripes(String purpose, int count, EligibleNodes eligible) {
    Iterator<Stripe> written = written(purpose, eligible);
    return Stream.generate(written::next).limit(count).toList();
  }

  /** Places a block by the policy, from a random writer. */
  PreEncodingStore.Stored store(
      PreEncodingStore<Integer> blocks, EligibleNodes eligible, RandomGenerator random) {
    int first = PreEncodingStore.first(eligible, -1, setting.replicas(), random);
    return blocks.add(0, setting.placer(), eligible, first, setting.replicas(), random);
  }
}
