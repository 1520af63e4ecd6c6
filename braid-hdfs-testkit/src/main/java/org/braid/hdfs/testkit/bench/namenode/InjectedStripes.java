package org.braid.hdfs.testkit.bench.namenode;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.hadoop.hdfs.protocol.Block;
import org.braid.code.ErasureCode;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.ReplicaChecksum;
import org.braid.hdfs.stripe.Stripe;
import org.braid.hdfs.stripe.StripePromise;

/**
 * Stripes without data, each of one file of k blocks: ids, blocks, homes and replicas follow from
 * the stripe's number. Members stand on consecutive nodes, each in a rack of its own.
 *
 * @param code of all stripes
 * @param count number of stripes
 * @param loose number of further files of one block that is in no stripe
 * @param seed of ids and places
 */
record InjectedStripes(ErasureCode code, int count, int loose, long seed) {
  static final long BLOCK_BYTES = 128L << 20;
  static final long GENERATION = 1001;
  static final int REPLICATION = 3;

  private static final long FIRST_BLOCK = 1L << 30;
  private static final int CELL = 1 << 20;
  private static final ReplicaChecksum CHECKSUM = new ReplicaChecksum(ReplicaChecksum.CRC32C, 512);

  /** Racks of the cluster. */
  int racks() {
    return 2 * code.n();
  }

  /** Nodes of the cluster, two a rack; node i is in rack i mod racks. */
  int nodes() {
    return 2 * racks();
  }

  String uuid(int node) {
    return new UUID(mix(seed + node), mix(seed - 1 - node)).toString();
  }

  /** 32 hexadecimal digits. */
  String id(int stripe) {
    return "%016x%016x".formatted(mix(seed ^ stripe), mix(~seed ^ stripe));
  }

  /** A block of a stripe; the stripe that follows the last one holds those in no stripe. */
  Block block(int stripe, int position) {
    long id = FIRST_BLOCK + (long) stripe * code.n() + position;
    return new Block(id, BLOCK_BYTES, GENERATION);
  }

  /** A block in no stripe. */
  Block looseBlock(int file) {
    return block(count, file);
  }

  long lastBlock() {
    return looseBlock(loose).getBlockId();
  }

  int home(int stripe, int position) {
    return Math.floorMod(Math.floorMod(mix(seed + stripe), nodes()) + position, nodes());
  }

  /** Where the three replicas of a block are: at home and on both nodes of another rack. */
  int[] replicas(int home) {
    return new int[] {
      home, (home + code.n()) % nodes(), (home + code.n() + racks()) % nodes(),
    };
  }

  Stripe stripe(int number) {
    List<Member> members = new ArrayList<>();
    for (int i = 0; i < code.n(); i++) {
      Block block = block(number, i);
      BlockIdentity identity = new BlockIdentity(block.getBlockId(), GENERATION, BLOCK_BYTES);
      int crc = (int) mix(block.getBlockId());
      String home = uuid(home(number, i));
      Member member =
          i < code.k()
              ? Member.data(identity, crc, home, REPLICATION)
              : Member.parity(identity, crc, home);
      members.add(member.with(CHECKSUM));
    }
    return Stripe.encoded(
        id(number), code, members, new StripePromise(1, List.of(), Optional.empty()), CELL);
  }

  /** SplitMix64's finalizer. */
  private static long mix(long value) {
    long mixed = (value + 0x9E3779B97F4A7C15L) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }
}
