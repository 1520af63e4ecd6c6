package org.braid.hdfs.testing;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.engine.block.CellLayout;
import org.braid.hdfs.proto.BraidProtos.BlockProto;
import org.braid.hdfs.proto.BraidProtos.MemberProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.hdfs.proto.BraidProtos.StripesRequestProto;
import org.braid.hdfs.rpc.BraidNameNodePB;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.rpc.Rpc;
import org.braid.hdfs.testkit.embedded.EmbeddedCluster;
import org.braid.kernel.Kernels;

/**
 * Makes converted files by plain means: data blocks with one replica on exact nodes, parity
 * computed here, parity file and its description as the coordinator would leave them.
 */
public final class StripeFixture {
  /** Bytes of a cell where blocks have several sub-blocks. */
  private static final int CELL = 2048;

  private final EmbeddedCluster cluster;
  private final DistributedFileSystem fs;
  private final ExactFiles exact;
  private final ErasureCode code;
  private final int blockSize;
  private int stripes;

  /**
   * A converted file.
   *
   * @param path the file
   * @param stripes its stripes, k blocks each, the last filled up with virtual blocks
   */
  public record Converted(Path path, List<Stripe> stripes) {}

  /**
   * A stripe.
   *
   * @param proto its description
   * @param nodes the node of each member; -1 for a virtual block
   */
  public record Stripe(StripeProto proto, List<Integer> nodes) {}

  /**
   * A fixture.
   *
   * @param fs a plain client of the cluster
   * @param blockSize block size of data files, in bytes, a multiple of 512
   */
  public StripeFixture(
      EmbeddedCluster cluster, DistributedFileSystem fs, ErasureCode code, int blockSize) {
    if (cluster.nodes() < code.n()) {
      throw new IllegalArgumentException(
          code.name() + " on " + cluster.nodes() + " nodes: need n nodes");
    }
    this.cluster = cluster;
    this.fs = fs;
    this.exact = new ExactFiles(cluster, fs);
    this.code = code;
    this.blockSize = blockSize;
  }

  /** Writes a file and its stripes; member i of stripe s of this fixture is on node (s+i) mod N. */
  public Converted write(String path, byte[] content) throws IOException {
    List<Path> parts = new ArrayList<>();
    int blocks = (content.length + blockSize - 1) / blockSize;
    int first = stripes;
    for (int b = 0; b < blocks; b++) {
      byte[] block =
          Arrays.copyOfRange(content, b * blockSize, Math.min(content.length, (b + 1) * blockSize));
      Path part = new Path(path + ".part" + b);
      exact.writeOn(part, block, blockSize, nodeOf(first + b / code.k(), b % code.k()));
      parts.add(part);
    }
    Path file = join(parts, new Path(path));
    List<LocatedBlock> located = exact.located(file);
    List<Stripe> made = new ArrayList<>();
    for (int from = 0; from < blocks; from += code.k()) {
      List<LocatedBlock> members = located.subList(from, Math.min(blocks, from + code.k()));
      made.add(stripe(content, members));
    }
    refreshIndex();
    return new Converted(file, made);
  }

  /** Has the NameNode's index see what was published behind its back. */
  private void refreshIndex() throws IOException {
    BraidNameNodePB stub =
        Rpc.nameNode(cluster.configuration(), cluster.nameNode().getNameNodeAddress());
    try {
      Rpc.call(() -> stub.stripes(null, StripesRequestProto.getDefaultInstance()));
    } finally {
      Rpc.stop(stub);
    }
  }

  private int nodeOf(int stripe, int member) {
    return (stripe + member) % cluster.nodes();
  }

  private Stripe stripe(byte[] content, List<LocatedBlock> data) throws IOException {
    long longest = data.stream().mapToLong(LocatedBlock::getBlockSize).max().orElse(0);
    CellLayout layout = CellLayout.of(code.alpha(), CELL, longest);
    int length = (int) layout.blockLength();
    List<byte[]> inputs = new ArrayList<>();
    List<MemberProto> members = new ArrayList<>();
    List<Integer> nodes = new ArrayList<>();
    for (int i = 0; i < code.k(); i++) {
      byte[] padded = new byte[length];
      if (i < data.size()) {
        LocatedBlock block = data.get(i);
        int size = (int) block.getBlockSize();
        System.arraycopy(content, (int) block.getStartOffset(), padded, 0, size);
        nodes.add(nodeOf(stripes, i));
        members.add(member(block, Arrays.copyOf(padded, size), nodes.get(i)));
      } else {
        nodes.add(-1);
        members.add(MemberProto.getDefaultInstance());
      }
      inputs.add(padded);
    }
    String id = String.format(Locale.ROOT, "%032x", 0xb1a1dL << 16 | stripes);
    List<Path> parts = new ArrayList<>();
    List<byte[]> parity = parity(inputs, layout);
    for (int j = 0; j < code.m(); j++) {
      int node = nodeOf(stripes, code.k() + j);
      nodes.add(node);
      Path part = new Path(BraidPaths.stagingPath(id, j, cluster.uuid(node)));
      exact.writeOn(part, parity.get(j), Math.max(512, (length + 511) / 512 * 512), node);
      parts.add(part);
    }
    Path staged = join(parts, new Path(BraidPaths.stagingDirectory(id) + "/joined"));
    List<LocatedBlock> located = exact.located(staged);
    for (int j = 0; j < code.m(); j++) {
      members.add(member(located.get(j), parity.get(j), nodes.get(code.k() + j)));
    }
    StripeProto proto =
        StripeProto.newBuilder()
            .setVersion(1)
            .setId(id)
            .setCode(code.name())
            .setDigest(Codes.digest(code))
            .addAllMembers(members)
            .setPerRack(code.n())
            .setVerified(true)
            .setCell(CELL)
            .build();
    fs.setXAttr(staged, BraidPaths.STRIPE_XATTR, proto.toByteArray());
    Path published = new Path(BraidPaths.stripePath(id));
    fs.mkdirs(published.getParent());
    rename(staged, published);
    stripes++;
    return new Stripe(proto, nodes);
  }

  private List<byte[]> parity(List<byte[]> data, CellLayout layout) {
    int alpha = code.alpha();
    int unit = (int) layout.unit();
    ByteBuffer[] inputs = new ByteBuffer[code.k() * alpha];
    for (int i = 0; i < inputs.length; i++) {
      inputs[i] = ByteBuffer.allocate(unit);
      for (int at = 0; at < unit; at++) {
        inputs[i].put(at, data.get(i / alpha)[(int) layout.inBlock(i % alpha, at)]);
      }
    }
    ByteBuffer[] outputs = new ByteBuffer[code.m() * alpha];
    Arrays.setAll(outputs, i -> ByteBuffer.allocate(unit));
    int[] rows = IntStream.range(inputs.length, inputs.length + outputs.length).toArray();
    Kernels.scalar().transform(code.generator().select(rows)).apply(inputs, outputs, unit);
    List<byte[]> parity = new ArrayList<>();
    for (int j = 0; j < code.m(); j++) {
      byte[] block = new byte[(int) layout.blockLength()];
      for (int s = 0; s < alpha; s++) {
        for (int at = 0; at < unit; at++) {
          block[(int) layout.inBlock(s, at)] = outputs[j * alpha + s].get(at);
        }
      }
      parity.add(block);
    }
    return parity;
  }

  private MemberProto member(LocatedBlock located, byte[] content, int node) {
    CRC32C crc = new CRC32C();
    crc.update(content);
    ExtendedBlock block = located.getBlock();
    return MemberProto.newBuilder()
        .setBlock(
            BlockProto.newBuilder()
                .setId(block.getBlockId())
                .setGeneration(block.getGenerationStamp())
                .setLength(block.getNumBytes()))
        .setCrc32C((int) crc.getValue())
        .setHome(cluster.uuid(node))
        .setReplication(3)
        .build();
  }

  private Path join(List<Path> parts, Path target) throws IOException {
    if (parts.size() > 1) {
      fs.concat(parts.get(0), parts.subList(1, parts.size()).toArray(new Path[0]));
    }
    rename(parts.get(0), target);
    return target;
  }

  private void rename(Path from, Path to) throws IOException {
    if (!fs.rename(from, to)) {
      throw new IOException("cannot rename " + from + " to " + to);
    }
  }
}
