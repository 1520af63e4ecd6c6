package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Constructor;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.fs.permission.PermissionStatus;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfoContiguous;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.braid.hdfs.namenode.files.FileLister;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.sound.SoundFiles;
import org.braid.hdfs.namenode.stripes.Raiser;
import org.braid.hdfs.namenode.writes.OpenWrites;
import org.braid.hdfs.proto.BraidProtos.ClusterRequestProto;
import org.braid.hdfs.proto.BraidProtos.FilesRequestProto;
import org.braid.hdfs.proto.BraidProtos.SeenNodesProto;
import org.braid.hdfs.rpc.Rpc;
import org.braid.hdfs.stripe.Datanode;
import org.braid.hdfs.stripe.NodesDigest;
import org.braid.hdfs.stripe.StatusCodec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A file of very many blocks is looked at in many holds of the lock. */
final class LongFilesTest {
  /** More than what is described in one hold. */
  private static final int BLOCKS = 1100;

  private static final int SLOW = 60;

  @RegisterExtension static final SharedNameNode fixture = SharedNameNode.of(1, 1, Map.of());
  private static long next = 1L << 40;

  /** A block that is being written. */
  private static class OpenBlock extends BlockInfoContiguous {
    OpenBlock(long id) {
      super(new Block(id, 1, 1), (short) 1);
    }

    @Override
    public boolean isComplete() {
      return false;
    }
  }

  /** One of which a look takes as long as at thousands of others. */
  private static final class SlowBlock extends OpenBlock {
    SlowBlock(long id) {
      super(id);
    }

    private static void pause() {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }

    @Override
    public short getReplication() {
      pause();
      return super.getReplication();
    }

    @Override
    public long getNumBytes() {
      pause();
      return super.getNumBytes();
    }
  }

  private static NameNodeHost host() {
    return fixture.plugin().host();
  }

  private static long holds(String what) {
    var holds = host().holds().until().get(what);
    return holds == null ? 0 : holds.count();
  }

  /** Hadoop 3.4 keeps this constructor to its package. */
  private static INodeFile file(long inode, BlockInfo[] blocks) throws Exception {
    Constructor<INodeFile> made =
        INodeFile.class.getDeclaredConstructor(
            long.class,
            byte[].class,
            PermissionStatus.class,
            long.class,
            long.class,
            BlockInfo[].class,
            short.class,
            long.class);
    made.setAccessible(true);
    return made.newInstance(
        inode,
        "f".getBytes(StandardCharsets.UTF_8),
        new PermissionStatus("user", "group", FsPermission.getFileDefault()),
        0L,
        0L,
        blocks,
        (short) 3,
        (long) NameNodeFixture.BLOCK);
  }

  /** Puts a file of replication 3, whose blocks aim at 1, into a directory. */
  private static INodeFile add(String parent) throws Exception {
    assertTrue(fixture.fs.mkdirs(new org.apache.hadoop.fs.Path(parent)));
    BlockInfo[] blocks = new BlockInfo[BLOCKS];
    long inode = next++;
    for (int i = 0; i < BLOCKS; i++) {
      blocks[i] = i < SLOW ? new SlowBlock(next++) : new OpenBlock(next++);
      blocks[i].setBlockCollectionId(inode);
    }
    INodeFile file = file(inode, blocks);
    return host()
        .writing(
            "test",
            () -> {
              FSDirectory namespace = host().namesystem().getFSDirectory();
              assertTrue(namespace.getINode(parent).asDirectory().addChild(file));
              namespace.addToInodeMap(file);
              return file;
            });
  }

  @Test
  void itIsRaisedInShortHolds() throws Exception {
    INodeFile file = add("/raised");
    long before = holds("braidRaise");
    new Raiser(host(), fixture.plugin().index(), new OpenWrites()).raise(file.getId(), 3);
    long holds = holds("braidRaise") - before;
    assertTrue(holds >= SLOW / 4, holds + " holds");
    for (BlockInfo block : file.getBlocks()) {
      assertEquals(3, block.getReplication());
    }
  }

  @Test
  void itIsJudgedInShortHolds() throws Exception {
    INodeFile unused = add("/judged");
    List<Datanode> nodes =
        Rpc.call(() -> fixture.stub.cluster(null, ClusterRequestProto.getDefaultInstance()))
            .getDatanodesList()
            .stream()
            .map(StatusCodec::of)
            .toList();
    FilesRequestProto request =
        FilesRequestProto.newBuilder()
            .setPath("/judged")
            .setBriefly(SeenNodesProto.newBuilder().setDigest(NodesDigest.of(nodes)))
            .build();
    SoundFiles files = new SoundFiles(host(), fixture.plugin().index(), new FileLister(host()));
    long before = holds("braidFiles");
    var page = files.list(request, 10).orElseThrow();
    long holds = holds("braidFiles") - before;
    assertEquals(1, page.getSound());
    assertTrue(holds >= SLOW / 4, holds + " holds");
  }
}
