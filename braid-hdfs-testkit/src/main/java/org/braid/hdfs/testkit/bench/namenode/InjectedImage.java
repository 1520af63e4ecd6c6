package org.braid.hdfs.testkit.bench.namenode;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants;
import org.apache.hadoop.hdfs.server.namenode.FSImageUtil;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.FileSummary;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.INodeDirectorySection;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.INodeSection;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.NameSystemSection;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.StringTableSection;
import org.apache.hadoop.hdfs.server.namenode.INodeId;
import org.apache.hadoop.hdfs.util.MD5FileUtils;
import org.apache.hadoop.io.MD5Hash;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.MessageLite;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.StripeAttribute;
import org.jspecify.annotations.Nullable;

/**
 * Writes the image of a namespace with very many stripes in HDFS's own format, in place of that of
 * a formatted NameNode: as RPC would make it, but at the speed of a disk.
 */
final class InjectedImage {
  /** Directory of the files. */
  static final String FILES = "/files";

  /** Directory of the files in no stripe. */
  static final String LOOSE = "/loose";

  private static final String IMAGE = "fsimage_0000000000000000000";
  private static final int FILES_A_DIRECTORY = 1000;
  private static final int USER = 1;
  private static final int GROUP = 2;
  private static final int ATTRIBUTE = 3;

  /** The number of the namespace trusted in an image. */
  private static final int TRUSTED = 1;

  private static final long OPEN = permission(0755);
  private static final long CLOSED = permission(0700);

  /** Whether files are converted. */
  enum State {
    /** Three replicas, no parity. */
    REPLICATED,
    /** One replica, and a parity file a stripe. */
    CONVERTED
  }

  private record Child(String name, long inode) {}

  private final InjectedStripes stripes;
  private final State state;
  private final TreeMap<Long, List<Child>> children = new TreeMap<>();
  private final FileSummary.Builder summary =
      FileSummary.newBuilder()
          .setOndiskVersion(FSImageUtil.FILE_VERSION)
          .setLayoutVersion(HdfsServerConstants.NAMENODE_LAYOUT_VERSION);
  private final CountedStream out;
  private long lastInode = INodeId.ROOT_INODE_ID;

  private static final class CountedStream extends OutputStream {
    private final OutputStream to;
    private long count;

    CountedStream(OutputStream to) {
      this.to = to;
    }

    @Override
    public void write(int b) throws IOException {
      to.write(b);
      count++;
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      to.write(bytes, from, length);
      count += length;
    }

    @Override
    public void flush() throws IOException {
      to.flush();
    }
  }

  private InjectedImage(InjectedStripes stripes, State state, OutputStream to) {
    this.stripes = stripes;
    this.state = state;
    this.out = new CountedStream(to);
  }

  /**
   * Gives a NameNode an image. NameNodes with the same files share an image, which is written once
   * because no NameNode changes it.
   *
   * @param written directory of the written images
   * @param directory the formatted directory of a NameNode, on the same file system
   */
  static void give(InjectedStripes stripes, State state, Path written, Path directory)
      throws IOException {
    if (!Files.exists(written)) {
      write(stripes, state, written);
    }
    Path image = directory.resolve("current").resolve(IMAGE);
    Files.deleteIfExists(image);
    Files.createLink(image, written);
    MD5FileUtils.saveMD5File(image.toFile(), MD5FileUtils.readStoredMd5ForFile(written.toFile()));
  }

  private static void write(InjectedStripes stripes, State state, Path image) throws IOException {
    Path unfinished = image.resolveSibling(image.getFileName() + ".new");
    MessageDigest digest = MD5Hash.getDigester();
    try (OutputStream file = Files.newOutputStream(unfinished);
        OutputStream to = new BufferedOutputStream(new DigestOutputStream(file, digest), 1 << 20)) {
      new InjectedImage(stripes, state, to).write();
    }
    MD5FileUtils.saveMD5File(image.toFile(), new MD5Hash(digest.digest()));
    Files.move(unfinished, image);
  }

  private void write() throws IOException {
    out.write(FSImageUtil.MAGIC_HEADER);
    section("NS_INFO", this::writeNamesystem);
    section("INODE", this::writeInodes);
    section("INODE_DIR", this::writeDirectories);
    section("STRING_TABLE", this::writeStrings);
    long before = out.count;
    put(summary.build());
    new DataOutputStream(out).writeInt(Math.toIntExact(out.count - before));
    out.flush();
  }

  private interface Writer {
    void write() throws IOException;
  }

  private void section(String name, Writer writer) throws IOException {
    long offset = out.count;
    writer.write();
    summary.addSections(
        FileSummary.Section.newBuilder()
            .setName(name)
            .setOffset(offset)
            .setLength(out.count - offset));
  }

  private void put(MessageLite message) throws IOException {
    message.writeDelimitedTo(out);
  }

  private void writeNamesystem() throws IOException {
    put(
        NameSystemSection.newBuilder()
            .setGenstampV1(1000)
            .setGenstampV2(InjectedStripes.GENERATION)
            .setGenstampV1Limit(0)
            .setLastAllocatedBlockId(stripes.lastBlock())
            .setTransactionId(0)
            .build());
  }

  private void writeStrings() throws IOException {
    List<String> strings =
        List.of(
            System.getProperty("user.name"),
            "supergroup",
            BraidPaths.STRIPE_XATTR.substring(BraidPaths.STRIPE_XATTR.indexOf('.') + 1));
    put(StringTableSection.newBuilder().setNumEntry(strings.size()).build());
    for (int i = 0; i < strings.size(); i++) {
      put(StringTableSection.Entry.newBuilder().setId(USER + i).setStr(strings.get(i)).build());
    }
  }

  private void writeInodes() throws IOException {
    int directories = (stripes.count() + FILES_A_DIRECTORY - 1) / FILES_A_DIRECTORY;
    boolean converted = state == State.CONVERTED;
    int parity = converted ? stripes.count() : 0;
    int inodes = 1 + 2 + 3 + 256 + directories + stripes.count() + parity + stripes.loose();
    put(
        INodeSection.newBuilder()
            .setLastInodeId(INodeId.ROOT_INODE_ID + inodes - 1)
            .setNumInodes(inodes)
            .build());
    put(
        INodeSection.INode.newBuilder()
            .setType(INodeSection.INode.Type.DIRECTORY)
            .setId(INodeId.ROOT_INODE_ID)
            .setName(ByteString.EMPTY)
            .setDirectory(
                INodeSection.INodeDirectory.newBuilder()
                    .setModificationTime(1)
                    .setNsQuota(Long.MAX_VALUE)
                    .setDsQuota(-1)
                    .setPermission(OPEN))
            .build());
    long root = INodeId.ROOT_INODE_ID;
    long braid = directory(root, ".braid", CLOSED);
    directory(braid, "staging", CLOSED);
    long published = directory(braid, "stripes", CLOSED);
    long[] buckets = new long[256];
    for (int i = 0; i < buckets.length; i++) {
      buckets[i] = directory(published, "%02x".formatted(i), CLOSED);
    }
    long files = directory(root, FILES.substring(1), OPEN);
    int replication = converted ? 1 : InjectedStripes.REPLICATION;
    long parent = 0;
    for (int s = 0; s < stripes.count(); s++) {
      if (s % FILES_A_DIRECTORY == 0) {
        parent = directory(files, directoryOf(s), OPEN);
      }
      file(parent, name(s), replication, blocks(s, 0, stripes.code().k()), null);
      if (converted) {
        String id = stripes.id(s);
        file(
            buckets[Integer.parseInt(id.substring(0, 2), 16)],
            id,
            1,
            blocks(s, stripes.code().k(), stripes.code().n()),
            StripeAttribute.toBytes(stripes.stripe(s), StripeAttribute.LATEST));
      }
    }
    long loose = directory(root, LOOSE.substring(1), OPEN);
    for (int i = 0; i < stripes.loose(); i++) {
      file(loose, name(i), InjectedStripes.REPLICATION, List.of(stripes.looseBlock(i)), null);
    }
  }

  private static String directoryOf(int stripe) {
    return "d%07d".formatted(stripe / FILES_A_DIRECTORY);
  }

  private static String name(int file) {
    return "f%09d".formatted(file);
  }

  /** The path of a stripe's file. */
  static String file(int stripe) {
    return FILES + "/" + directoryOf(stripe) + "/" + name(stripe);
  }

  /** Some of the directories of files. */
  static List<String> directories(InjectedStripes stripes, int most) {
    return IntStream.range(0, stripes.count())
        .filter(stripe -> stripe % FILES_A_DIRECTORY == 0)
        .limit(most)
        .mapToObj(stripe -> FILES + "/" + directoryOf(stripe))
        .toList();
  }

  /** The path of a file in no stripe. */
  static String looseFile(int number) {
    return LOOSE + "/" + name(number);
  }

  private List<Block> blocks(int stripe, int from, int to) {
    List<Block> blocks = new ArrayList<>();
    for (int i = from; i < to; i++) {
      blocks.add(stripes.block(stripe, i));
    }
    return blocks;
  }

  private long add(long parent, String name) {
    lastInode++;
    children.computeIfAbsent(parent, unused -> new ArrayList<>()).add(new Child(name, lastInode));
    return lastInode;
  }

  private long directory(long parent, String name, long permission) throws IOException {
    long inode = add(parent, name);
    put(
        INodeSection.INode.newBuilder()
            .setType(INodeSection.INode.Type.DIRECTORY)
            .setId(inode)
            .setName(ByteString.copyFromUtf8(name))
            .setDirectory(
                INodeSection.INodeDirectory.newBuilder()
                    .setModificationTime(1)
                    .setNsQuota(-1)
                    .setDsQuota(-1)
                    .setPermission(permission))
            .build());
    return inode;
  }

  private void file(
      long parent, String name, int replication, List<Block> blocks, byte @Nullable [] attribute)
      throws IOException {
    INodeSection.INodeFile.Builder file =
        INodeSection.INodeFile.newBuilder()
            .setReplication(replication)
            .setModificationTime(1)
            .setAccessTime(1)
            .setPreferredBlockSize(InjectedStripes.BLOCK_BYTES)
            .setPermission(permission(0644));
    blocks.forEach(block -> file.addBlocks(PBHelperClient.convert(block)));
    if (attribute != null) {
      int key = TRUSTED << 30 | ATTRIBUTE << 6;
      file.setXAttrs(
          INodeSection.XAttrFeatureProto.newBuilder()
              .addXAttrs(
                  INodeSection.XAttrCompactProto.newBuilder()
                      .setName(key)
                      .setValue(ByteString.copyFrom(attribute))));
    }
    put(
        INodeSection.INode.newBuilder()
            .setType(INodeSection.INode.Type.FILE)
            .setId(add(parent, name))
            .setName(ByteString.copyFromUtf8(name))
            .setFile(file)
            .build());
  }

  private void writeDirectories() throws IOException {
    for (Map.Entry<Long, List<Child>> directory : children.entrySet()) {
      List<Child> named = directory.getValue();
      named.sort(Comparator.comparing(Child::name));
      put(
          INodeDirectorySection.DirEntry.newBuilder()
              .setParent(directory.getKey())
              .addAllChildren(named.stream().map(Child::inode).toList())
              .build());
    }
  }

  private static long permission(int mode) {
    return (long) USER << 40 | (long) GROUP << 16 | mode;
  }
}
