package org.braid.hdfs.coordinator;

import java.util.Map;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.util.DataChecksum;
import org.braid.code.SubBlock;
import org.braid.hdfs.proto.BraidProtos.BlockProto;
import org.braid.hdfs.proto.BraidProtos.MemberProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.hdfs.rpc.ReadSource;
import org.braid.hdfs.rpc.StoreTarget;

/**
 * What one piece of work holds on to.
 *
 * @param nameNode Braid's calls on the NameNode
 * @param files HDFS's own client
 * @param workers the DataNodes' workers
 * @param lease the coordinator's lease
 * @param slice bytes of a slice
 * @param bytesPerChecksum bytes of a checksum chunk of rebuilt replicas
 */
record Session(
    NameNodeCalls nameNode,
    DistributedFileSystem files,
    Workers workers,
    String lease,
    int slice,
    int bytesPerChecksum) {
  /** A store that publishes a replica of a stripe's block if it has the content recorded. */
  StoreTarget rebuild(StripeProto stripe, int position) {
    MemberProto member = stripe.getMembers(position);
    return StoreTarget.rebuild(
        member.getBlock(), member.getCrc32C(), DataChecksum.Type.CRC32C.name(), bytesPerChecksum);
  }

  /** A read of a stripe's block, from its start. */
  static ReadSource read(Map<Integer, BlockProto> blocks, SubBlock source, long unit) {
    BlockProto block = blocks.get(source.block());
    if (block == null) {
      throw new IllegalArgumentException("position " + source.block() + " holds no block");
    }
    return new ReadSource(block, source.index() * unit);
  }
}
