package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.zip.CRC32C;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.braid.code.Codes;
import org.braid.hdfs.proto.BraidProtos.BlockProto;
import org.braid.hdfs.proto.BraidProtos.BlockStatusProto;
import org.braid.hdfs.proto.BraidProtos.MemberProto;
import org.braid.hdfs.proto.BraidProtos.ReplicaProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.testing.Disks;

/**
 * Makes stripes of blocks that there are, up to their description in the staging directory. What
 * stands for parity is random bytes.
 */
final class HandmadeStripes {
  private final NameNodeFixture fixture;
  private final Random random;

  HandmadeStripes(NameNodeFixture fixture, Random random) {
    this.fixture = fixture;
    this.random = random;
  }

  /**
   * Stages a stripe, with homes among the replicas that there are, and parity on nodes in other
   * racks, and describes it.
   *
   * @param change of its description
   */
  StripeProto stage(String code, List<BlockStatusProto> data, UnaryOperator<StripeProto> change)
      throws Exception {
    int k = Codes.named(code).k();
    int m = Codes.named(code).m();
    String id = "%016x%016x".formatted(random.nextLong(), random.nextLong());
    List<String> homes = new ArrayList<>();
    assertTrue(match(data, 0, new HashMap<>(), homes), "no homes in distinct racks");
    Set<String> racks = new HashSet<>();
    homes.forEach(home -> racks.add(fixture.rack(home)));
    for (int i = 0; i < fixture.cluster.nodes() && homes.size() < data.size() + m; i++) {
      String uuid = fixture.cluster.uuid(i);
      if (fixture.cluster.runs(i) && racks.add(fixture.rack(uuid))) {
        homes.add(uuid);
      }
    }
    StripeProto.Builder stripe =
        StripeProto.newBuilder()
            .setVersion(1)
            .setId(id)
            .setCode(code)
            .setDigest(Codes.digest(Codes.named(code)))
            .setPerRack(1)
            .setVerified(true);
    for (int i = 0; i < k; i++) {
      stripe.addMembers(
          i < data.size()
              ? member(data.get(i).getBlock(), homes.get(i), crc(data.get(i).getBlock()))
              : MemberProto.getDefaultInstance());
    }
    List<Path> staged = new ArrayList<>();
    for (int j = 0; j < m; j++) {
      String home = homes.get(data.size() + j);
      Path path = new Path(BraidPaths.stagingPath(id, j, home));
      byte[] content = new byte[NameNodeFixture.BLOCK];
      random.nextBytes(content);
      try (FSDataOutputStream out =
          fixture.fs.create(path, true, 4096, (short) 1, NameNodeFixture.BLOCK)) {
        out.write(content);
      }
      BlockProto block = fixture.identity(path.toUri().getPath());
      stripe.addMembers(member(block, home, crc(content)));
      staged.add(path);
    }
    if (m > 1) {
      fixture.fs.concat(staged.get(0), staged.subList(1, m).toArray(Path[]::new));
    }
    StripeProto made = change.apply(stripe.build());
    fixture.put(staged.get(0).toUri().getPath(), made);
    return made;
  }

  /** Chooses a replica of each block so that all are in distinct racks. */
  private boolean match(
      List<BlockStatusProto> data, int i, Map<String, String> racks, List<String> homes) {
    if (i == data.size()) {
      return true;
    }
    for (ReplicaProto replica : data.get(i).getReplicasList()) {
      String rack = fixture.rack(replica.getNode());
      if (racks.putIfAbsent(rack, replica.getNode()) == null) {
        homes.add(replica.getNode());
        if (match(data, i + 1, racks, homes)) {
          return true;
        }
        homes.remove(homes.size() - 1);
        racks.remove(rack);
      }
    }
    return false;
  }

  private static MemberProto member(BlockProto block, String home, int crc) {
    return MemberProto.newBuilder()
        .setBlock(block)
        .setHome(home)
        .setCrc32C(crc)
        .setReplication(3)
        .build();
  }

  private static int crc(byte[] content) {
    CRC32C crc = new CRC32C();
    crc.update(content);
    return (int) crc.getValue();
  }

  private int crc(BlockProto block) throws IOException {
    for (int i = 0; i < fixture.cluster.nodes(); i++) {
      if (fixture.cluster.runs(i)) {
        byte[] content = Disks.content(fixture.cluster, i, block.getId());
        if (content.length == block.getLength()) {
          return crc(content);
        }
      }
    }
    return fail("no DataNode has blk_" + block.getId());
  }
}
